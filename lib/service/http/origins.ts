import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { Config } from "../config/mod.ts";
import { bearerToken } from "./access.ts";
import type { HttpContext, HttpEnv } from "./context.ts";
import { AppError } from "./problem.ts";

/** Headers of answers that a page of another origin may read, beside those that every page may. */
const EXPOSED = ["X-Request-Id", "ETag", "Retry-After", "Idempotency-Replayed", "X-AI-Strategy", "Allow", "Link"];

/** Headers that carry a credential. */
const CREDENTIALS = ["authorization", "x-api-key"];

/** Sets how long a browser may rely on what it was told, in seconds. */
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

/** Methods that change nothing. */
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Describes where the service is known as, besides the host that a request names. */
type Sites = Pick<Config, "publicBaseUrl">;

/**
 * Tells whether a browser sends the request from another site's page. Browsers say so (`Sec-Fetch-Site`) to what they
 * trust, loopback among it; to others they tell the page's origin alone.
 */
export function isCrossSite(c: HttpContext, { publicBaseUrl }: Sites): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site.toLowerCase() === "cross-site";
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  const page = URL.canParse(origin) ? new URL(origin).hostname : "";
  return ![c.req.url, publicBaseUrl].some((own) => new URL(own).hostname === page);
}

/**
 * Refuses (403) what a browser sends from another site's page to a route that may write, unless it carries a
 * credential: no page can make a browser add one that it does not know.
 */
export function refuseCrossSite(sites: Sites) {
  return createMiddleware<HttpEnv>(async function refuseCrossSite(c, next) {
    if (!SAFE.has(c.req.method) && !hasCredential(c) && isCrossSite(c, sites)) throw crossSite();
    await next();
  });
}

/** Tells whether the request carries what may be a credential: a bearer token or a key. */
export function hasCredential(c: HttpContext): boolean {
  return bearerToken(c.req.header("authorization")) !== undefined || c.req.header("x-api-key") !== undefined;
}

/** Returns the refusal of a request of another site's page where its address would be its credential. */
export function crossSite(): AppError {
  return new AppError("forbidden", "A page of another site must send a credential.");
}
