import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { HttpContext, HttpEnv } from "./context.ts";

/** Headers of answers that a page of another origin may read, beside those that every page may. */
const EXPOSED = ["X-Request-Id", "ETag", "Retry-After", "Idempotency-Replayed", "X-AI-Strategy", "Allow", "Link"];

/** Headers that carry a credential. */
const CREDENTIALS = ["authorization", "x-api-key"];

/** How long a browser may rely on what it was told, in seconds. */
const MAX_AGE_S = 600;

/**
 * Lets pages of `origins` read what routes that change nothing answer (GET and HEAD), and use the others with a key.
 * Cookies are never for pages of others. Without origins no page of another origin reads anything.
 */
export function openToOrigins(origins: readonly string[]) {
  const allow = cors({
    origin: (origin, c) => (origins.includes(origin) && isOpen(c) ? origin : null),
    allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposeHeaders: EXPOSED,
    maxAge: MAX_AGE_S,
  });
  return createMiddleware<HttpEnv>(async function openToOrigins(c, next) {
    const isPlainOptions = c.req.method === "OPTIONS" && c.req.header("access-control-request-method") === undefined;
    if (origins.length === 0 || isPlainOptions) return await next();
    return await allow(c, next);
  });
}

/** Tells whether a request reads, or carries a credential; of a preflight, whether the request that follows it does. */
function isOpen(c: Pick<HttpContext, "req">): boolean {
  const isPreflight = c.req.method === "OPTIONS";
  const method = isPreflight ? c.req.header("access-control-request-method") : c.req.method;
  if (method === "GET" || method === "HEAD") return true;
  if (!isPreflight) return CREDENTIALS.some((name) => c.req.header(name) !== undefined);
  const names = (c.req.header("access-control-request-headers") ?? "").split(",").map((name) => name.trim());
  return names.some((name) => CREDENTIALS.includes(name.toLowerCase()));
}
