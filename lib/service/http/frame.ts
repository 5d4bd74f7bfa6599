import { randomUUID } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Logger } from "../process/logger.ts";
import { inSpan } from "../process/tracing.ts";
import type { HttpEnv } from "./context.ts";

/** Paths that probes and scrapers of metrics ask for all the time. */
export const PROBES = /^\/(livez|readyz|health|healthz|metrics|api\/v1\/health)$/;

/** The client's request id when it is 1 to 128 visible ASCII characters, else a new UUID. */
export function requestIdOf(header: string | null | undefined): string {
  return header !== null && header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : randomUUID();
}

/** The outermost middleware: request id, request metrics, and one log line with everything known about the request. */
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
      const answered = { "http.response.status_code": c.res.status, "http.route": routeLabel(routePath(c, -1)) };
      span.set(answered);
      span.rename(`${method} ${answered["http.route"]}`);
      if (c.res.status >= 500) span.fail(String(c.res.status));
      return span.traceId;
    });
    const { status } = c.res;
    c.res.headers.set("X-Request-Id", id);
    const took = performance.now() - start;
    const route = routeLabel(routePath(c, -1));
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

/** The level of a request's line; what probes ask for all the time is at debug. */
function levelOf(status: number, route: string, error: unknown): "error" | "warn" | "info" | "debug" {
  if (status >= 500) return error === "overloaded" ? "warn" : "error";
  return PROBES.test(route) ? "debug" : "info";
}

/** The pattern of the route that answered, or one label for all unknown paths, so that scanners create no series. */
function routeLabel(pattern: string): string {
  return pattern === "/*" || pattern === "*" || pattern === "" ? "unmatched" : pattern;
}
