import { createHash, randomUUID } from "node:crypto";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import { instruments } from "../process/metrics.ts";
import { createSlicer, errorMessage } from "../../std/mod.ts";
import type { Config } from "../config/mod.ts";
import type { Logger } from "../process/logger.ts";
import { inSpan } from "../process/tracing.ts";
import { type Access, type AccessOptions, createAccess, headerToken } from "./access.ts";
import { type HttpContext, type HttpEnv, note } from "./context.ts";
import { addDocs } from "./docs/page.ts";
import { addHealth, type Component, type Dependency, type DependencyGroup, operationId } from "./health.ts";
import { requireHost, requireOwnHost } from "./listen.ts";
import { compress, isStreamed, replaceBody } from "./negotiate.ts";
import { openToOrigins, refuseCrossSite } from "./origins.ts";
import { AppError, errorHandler, notFoundHandler, problems } from "./problem.ts";
import { queryError, requireKnownQuery, validationError } from "./validation.ts";

/**
 * Metrics of other processes, as their registries' `getMetricsAsJSON()` gave them. They are added to the service's own,
 * except `process_*`, which speak of one process.
 */
export type MetricsSource = () => Promise<unknown[]>;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Adds `GET /metrics`; `X-Metrics-Token` is needed unless `APP_ENV=local`. */
function addMetrics(
  app: OpenAPIHono<HttpEnv>,
  opts: { name: string; config: Pick<Config, "appEnv" | "tokens">; metrics: Registry; metricsSource?: MetricsSource },
): void {
  const guard = opts.config.appEnv === "local" ? [] : [headerToken("X-Metrics-Token", opts.config.tokens.metrics)];
  app.openapi({ ...route(opts.name), middleware: guard }, async (c) => {
    const others = await readSource(c, opts.metricsSource);
    return c.text(await exposition(opts.metrics, others), 200, { "Content-Type": opts.metrics.contentType });
  });
}

/** Returns what cannot be read from elsewhere is missing from the answer, and named in the log line. */
async function readSource(c: HttpContext, source: MetricsSource | undefined): Promise<Metrics[]> {
  if (!source) return [];
  try {
    return (await source()).filter(isMetrics);
  } catch (error) {
    note(c, { metrics_source: errorMessage(error) });
    return [];
  }
}

function isMetrics(value: unknown): value is Metrics {
  return (
    Array.isArray(value) && value.every((metric) => typeof metric?.name === "string" && Array.isArray(metric.values))
  );
}

async function exposition(own: Registry, others: readonly Metrics[]): Promise<string> {
  if (others.length === 0) return await own.metrics();
  const shared = others.map((metrics) => metrics.filter(({ name }) => !name.startsWith("process_")));
  return await AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...shared]).metrics();
}

const route = (service: string) =>
  createRoute({
    method: "get",
    path: "/metrics",
    operationId: operationId("get", service, "metrics"),
    tags: ["operations"],
    summary: "Metrics in text exposition format",
    responses: {
      200: { description: "All metrics.", content: { "text/plain": { schema: z.string() } } },
      ...problems("unauthorized"),
    },
  });

/** Describes what a service is made of. */
export type ServiceOptions = {
  name: string;
  version: string;
  config: Config;
  logger: Logger;
  metrics: Registry;
  deps: Record<string, Dependency>;
  /** Dependencies that the health body shows together, under the group's name. */
  depGroups?: Record<string, DependencyGroup>;
  /** Models and lexicons that answers come from, shown in the health body. */
  components?: () => Record<string, Component>;
  /** Markdown for the OpenAPI document. */
  description?: string;
  /** Says where the health body is served; `/health` unless told. */
  healthPaths?: readonly string[];
  /** Metrics of other processes that this service exposes as well. */
  metricsSource?: MetricsSource;
  /** Tells whether answers to GET carry `ETag` and `Cache-Control`. */
  entityTags?: boolean;
  /** Names of the request metrics, where they are not `http_requests_total` and `http_request_duration_seconds`. */
  requestMetrics?: { total: string; duration: string };
  /** The tokens that the service takes, and where it finds keys; without it, reading tokens are all that it knows. */
  access?: Omit<AccessOptions, "config">;
  /** Turns errors of lower layers into problems; undefined for what it does not know. Errors of the store need none. */
  classify?: (error: unknown) => AppError | undefined;
};

/** An HTTP service: add routes to `app`, then `listen(app.fetch, …)`. */
export type Service = {
  name: string;
  version: string;
  app: OpenAPIHono<HttpEnv>;
  logger: Logger;
  metrics: Registry;
  access: Access;
};

/**
 * Makes a service with everything that all services share: request ids, one log line a request, problem documents for
 * every error, `/livez`, health, `/metrics`, `/openapi.json` and `/docs`.
 */
export function createService(opts: ServiceOptions): Service {
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      // A number that nothing can have is an address of nothing.
      if (result.target === "param") throw new AppError("not-found", "There is nothing at this path.");
      throw result.target === "query" ? queryError(c, result.error) : validationError(result.error);
    },
  });
  const { config } = opts;
  app.use(frame(opts), headLength, compress, noSniff, requireHost, requireOwnHost(config));
  app.use(openToOrigins(config.corsOrigins), refuseCrossSite(config));
  if (opts.entityTags === true) app.use(entityTag);
  app.use(requireKnownQuery(app));
  const { access, identify } = createAccess({ config: opts.config, ...opts.access });
  app.use(identify);
  app.onError(errorHandler(opts));
  app.notFound(notFoundHandler(app));
  addHealth(app, opts);
  addMetrics(app, opts);
  addDocs(app, { ...opts, url: serverUrl(opts) });
  return { name: opts.name, version: opts.version, app, logger: opts.logger, metrics: opts.metrics, access };
}

/** Returns where clients find the service; of one that has no setting for it, the place of its document. */
function serverUrl({ name, config }: Pick<ServiceOptions, "name" | "config">): string {
  const { publicBaseUrl: api, scraperUrl: scraper, retrievalUrl: retrieval, nlpUrl: nlp, edgeUrl: edge } = config;
  const urls = new Map(Object.entries({ api, scraper, retrieval, nlp, edge }));
  return urls.get(name) ?? "/";
}

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
function frame({
  logger,
  metrics,
  requestMetrics = { total: "http_requests_total", duration: "http_request_duration_seconds" },
}: {
  logger: Logger;
  metrics: Registry;
  requestMetrics?: { total: string; duration: string };
}) {
  const { counter, histogram } = instruments(metrics);
  const total = counter(requestMetrics.total, "Requests by route, method and status code.", [
    "route",
    "method",
    "code",
  ]);
  const duration = histogram(requestMetrics.duration, "Time to answer, in seconds.", ["route"], {
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const due = createSlicer();
  return createMiddleware<HttpEnv>(async function requestFrame(c, next) {
    const start = performance.now();
    // Many that arrive at once are begun in several turns of the event loop.
    const turn = due();
    if (turn !== undefined) await turn;
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

/** Members of a body that differ between answers that say the same: a cursor holds when its page was made. */
const PASSING = /"(?:[a-z0-9_]*_ms|request_id|next_cursor)":(?:-?[0-9.e+-]+|"[^"]*")/g;

/**
 * Gives answers to GET that say the same the same `ETag`, weak as times and request ids are left out of it, and has
 * caches ask again each time (`Cache-Control: no-cache`). What probes ask for is never kept; nor is what is written as
 * it is made, which has no tag.
 */
const entityTag = createMiddleware<HttpEnv>(async function entityTag(c, next) {
  await next();
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return;
  const { headers } = c.res;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", cacheControl(c));
  if (c.res.status !== 200 || PROBES.test(c.req.path)) return;
  if (!headers.has("ETag")) {
    if (c.res.body === null || isStreamed(headers)) return;
    const body = await c.res.arrayBuffer();
    replaceBody(c, body);
    // Each byte as a character: what passes is ASCII, and text of one byte a character is searched in half the time.
    c.res.headers.set("ETag", entityTagOf(Buffer.from(body).toString("latin1"), "latin1"));
  }
  await compareTags(c, async () => undefined);
});

function cacheControl(c: HttpContext): string {
  if (c.res.status !== 200 || PROBES.test(c.req.path)) return "no-store";
  const isPersonal = ["authorization", "x-api-key", "cookie"].some((name) => c.req.raw.headers.has(name));
  return isPersonal ? "private, no-cache" : "no-cache";
}

/** Returns the `ETag` of a body of JSON, weak as times and request ids are left out of it. */
export function entityTagOf(json: string, encoding: "utf8" | "latin1" = "utf8"): string {
  const lasting = json.replace(PASSING, "");
  // It takes some twenty microseconds; the Web's digest is handed to another thread, which has to wake up first.
  const digest = createHash("sha256").update(lasting, encoding).digest();
  return `W/"${digest.subarray(0, 16).toString("base64url")}"`;
}

/**
 * Gives the answer to HEAD the `Content-Length` that GET has; its body is not sent. A stream has no length in either.
 */
const headLength = createMiddleware<HttpEnv>(async function headLength(c, next) {
  await next();
  if (c.req.method !== "HEAD" || c.res.body === null || c.res.headers.has("Content-Length")) return;
  if (c.res.headers.get("Content-Type")?.startsWith("text/event-stream")) return await c.res.body.cancel();
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.res.headers.set("Content-Length", String(byteLength));
});

/** Keeps browsers from guessing the type of an answer: what an article says must never become a page or a script. */
const noSniff = createMiddleware<HttpEnv>(async function noSniff(c, next) {
  await next();
  c.res.headers.set("X-Content-Type-Options", "nosniff");
});
