import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import { errorMessage } from "../../std/mod.ts";
import type { Config } from "../config/mod.ts";
import type { Logger } from "../process/logger.ts";
import { type Access, type AccessOptions, createAccess, headerToken } from "./access.ts";
import { compress } from "./negotiate.ts";
import { type HttpContext, type HttpEnv, note } from "./context.ts";
import { addDocs } from "./docs/page.ts";
import { type AppError, errorHandler, notFoundHandler, problems } from "./problem.ts";
import { entityTag, frame, headLength, noSniff } from "./frame.ts";
import { addHealth, type Component, type Dependency, type DependencyGroup, operationId } from "./health.ts";
import { requireHost, requireOwnHost } from "./host.ts";
import { openToOrigins, refuseCrossSite } from "./origins.ts";
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
