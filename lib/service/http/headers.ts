import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { createMiddleware } from "hono/factory";
import { isStreamed } from "./compress.ts";
import type { HttpContext, HttpEnv } from "./context.ts";
import { PROBES } from "./frame.ts";

/** Holds what a 304 tells beside what the standard wants: what pages of other origins need to read it. */
const CORS_HEADERS = ["access-control-allow-origin", "access-control-expose-headers"];

/** Makes an answer that has a tag a 304 where `If-None-Match` names it: in a list, weak or strong, or as `*`. */
const compareTags = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...CORS_HEADERS] });

/** Members of a body that differ between answers that say the same. */
const PASSING = /"(?:[a-z_]*_ms|request_id)":(?:-?[0-9.e+-]+|"[^"]*")/g;

/**
 * Gives answers to GET that say the same the same `ETag`, weak as times and request ids are left out of it, and has
 * caches ask again each time (`Cache-Control: no-cache`). What probes ask for is never kept; nor is what is written as
 * it is made, which has no tag.
 */
export const entityTag = createMiddleware<HttpEnv>(async function entityTag(c, next) {
  await next();
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return;
  const { headers } = c.res;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", cacheControl(c));
  if (c.res.status !== 200 || PROBES.test(c.req.path)) return;
  if (!headers.has("ETag")) {
    if (c.res.body === null || isStreamed(headers.get("Content-Type"))) return;
    const body = await c.res.arrayBuffer();
    c.res = new Response(body, c.res);
    c.res.headers.set("ETag", `W/"${await digestOf(body)}"`);
  }
  await compareTags(c, async () => undefined);
});

function cacheControl(c: HttpContext): string {
  if (c.res.status !== 200 || PROBES.test(c.req.path)) return "no-store";
  const isPersonal = ["authorization", "x-api-key", "cookie"].some((name) => c.req.raw.headers.has(name));
  return isPersonal ? "private, no-cache" : "no-cache";
}

async function digestOf(body: ArrayBuffer): Promise<string> {
  const lasting = new TextDecoder().decode(body).replace(PASSING, "");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lasting));
  return Buffer.from(digest).subarray(0, 16).toString("base64url");
}

/**
 * Gives the answer to HEAD the `Content-Length` that GET has; its body is not sent. A stream has no length in either.
 */
export const headLength = createMiddleware<HttpEnv>(async function headLength(c, next) {
  await next();
  if (c.req.method !== "HEAD" || c.res.body === null || c.res.headers.has("Content-Length")) return;
  if (c.res.headers.get("Content-Type")?.startsWith("text/event-stream")) return await c.res.body.cancel();
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.res.headers.set("Content-Length", String(byteLength));
});

/** Keeps browsers from guessing the type of an answer: what an article says must never become a page or a script. */
export const noSniff = createMiddleware<HttpEnv>(async function noSniff(c, next) {
  await next();
  c.res.headers.set("X-Content-Type-Options", "nosniff");
});
