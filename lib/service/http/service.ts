import { OpenAPIHono } from "@hono/zod-openapi";
import type { Registry } from "prom-client";
import type { Config } from "../config/mod.ts";
import type { Logger } from "../process/logger.ts";
import { type Access, type AccessOptions, createAccess } from "./access.ts";
import { compress } from "./compress.ts";
import type { HttpEnv } from "./context.ts";
import { addDocs } from "./docs/page.ts";
import { errorHandler, notFoundHandler } from "./errors.ts";
import { frame } from "./frame.ts";
import { entityTag, headLength, noSniff } from "./headers.ts";
import { addHealth, type Component, type Dependency, type DependencyGroup } from "./health.ts";
import { requireHost, requireOwnHost } from "./host.ts";
import { addMetrics, type MetricsSource } from "./metrics-route.ts";
import { openToOrigins, refuseCrossSite } from "./origins.ts";
import type { AppError } from "./problem.ts";
import { queryError, requireKnownQuery } from "./query.ts";
import { validationError } from "./validation.ts";

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
