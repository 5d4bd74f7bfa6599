import { randomUUID } from "node:crypto";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Logger } from "../process/logger.ts";
import { inSpan } from "../process/tracing.ts";
import { isStreamed } from "./negotiate.ts";
import type { HttpContext, HttpEnv } from "./context.ts";

/** Paths that probes and scrapers of metrics ask for all the time. */
const PROBES = /^\/(livez|readyz|health|healthz|metrics|api\/v1\/health)$/;

/** Returns the client's request id when it is 1 to 128 visible ASCII characters, else a new UUID. */
export function requestIdOf(header: string | null | undefined): string {
  return header !== null && header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : randomUUID();
}

/**
 * Returns the outermost middleware: request id, request metrics, and one log line with everything known about the
 * request.
 */
export function frame({
  logger,
  metrics,
  requestMetrics = { total: "http_requests_total", duration: "http_request_duration_seconds" },
}: {
  logger: Logger;
  metrics: Registry;
  requestMetrics?: { total: string; duration: string };
}) {
  const registers = [metrics];
  const total = new Counter({
    name: requestMetrics.total,
    help: "Requests by route, method and status code.",
    labelNames: ["route", "method", "code"],
    registers,
  });
  const duration = new Histogram({
    name: requestMetrics.duration,
    help: "Time to answer, in seconds.",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return createMiddleware<HttpEnv>(async function requestFrame(c, next) {
    const start = performance.now();
    const id = requestIdOf(c.req.raw.headers.get("x-request-id"));
    c.set("requestId", id);
    c.set("fields", {});
    c.set("logger", logger);
    const method = c.req.method;
    // The path alone: a query may hold what somebody asked.
    const attributes = { "http.request.method": method, "url.path": c.req.path, "isnad.request_id": id };
    const from = c.req.raw.headers;
    const traceId = await inSpan(method, { kind: "server", attributes, from }, async (span) => {
      await next();
      const answered = { "http.response.status_code": c.res.status, "http.route": routeLabel(c) };
      span.set(answered);
      span.rename(`${method} ${answered["http.route"]}`);
      if (c.res.status >= 500) span.fail(String(c.res.status));
      return span.traceId;
    });
    const { status } = c.res;
    c.res.headers.set("X-Request-Id", id);
    const took = performance.now() - start;
    const route = routeLabel(c);
    total.inc({ route, method: c.req.method, code: status });
    duration.observe({ route }, took / 1000);
    const { message = "request", ...fields } = c.var.fields;
    logger[levelOf(status, route, fields.error)](
      {
        request_id: id,
        ...(traceId !== undefined && { trace_id: traceId }),
        method: c.req.method,
        path: c.req.path,
        route,
        status,
        ms: Math.round(took * 10) / 10,
        ...fields,
      },
      String(message),
    );
  });
}

/**
 * Returns the level of a request's line. What probes ask for all the time is at debug; where a probe is told 503, the
 * request did what it should, and who probes decides what that means: at a start it is what is waited for.
 */
function levelOf(status: number, route: string, error: unknown): "error" | "warn" | "info" | "debug" {
  if (PROBES.test(route)) return status >= 500 ? "info" : "debug";
  if (status >= 500) return error === "overloaded" ? "warn" : "error";
  return "info";
}

/**
 * Returns the pattern of the route that answered, or one label for all unknown paths, so that scanners create no
 * series. Middleware of all routes that come after it matches, too.
 */
function routeLabel(c: HttpContext): string {
  return matchedRoutes(c).findLast(({ path }) => !["/*", "*", ""].includes(path))?.path ?? "unmatched";
}

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
    if (c.res.body === null || isStreamed(headers)) return;
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
