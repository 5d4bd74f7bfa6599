import { VERSION } from "@isnad/lib/config";
import { createService, type Service } from "@isnad/lib/http";
import type { ApiDeps } from "./deps.ts";
import { classify } from "./errors.ts";
import { createWaker, type Waker } from "./ingest/wake.ts";
import { apiMetrics } from "./metrics.ts";
import { addArticles } from "./routes/articles.ts";
import { addIngestArticles } from "./routes/ingest-articles.ts";
import { addSearch } from "./routes/search.ts";
import { createRetrieval } from "./search/retrieval.ts";
import { workerMetricsSource } from "./worker-metrics.ts";

export type { ApiDeps } from "./deps.ts";

/** The central API: a service, and the waker that must settle before its queues are closed. */
export type Api = Service & { waker: Waker };

const DESCRIPTION = `The gateway through which articles enter the platform and are found again.

Articles are submitted to the ingest route and acknowledged at once; they are normalized, analysed and indexed in the background.`;

/** Makes the central API over its dependencies. */
export function createApp(deps: ApiDeps): Api {
  const { config, store, queues, logger } = deps;
  const retrieval = createRetrieval(config.retrievalUrl);
  const service = createService({
    name: "api",
    version: VERSION,
    description: DESCRIPTION,
    config,
    logger,
    metrics: deps.metrics,
    deps: {
      database: { check: () => store.ping(), critical: true },
      queue: { check: () => queues.ping(), critical: false },
      retrieval: { check: (signal) => retrieval.ping(signal), critical: false },
    },
    healthPaths: ["/api/v1/health", "/health"],
    metricsSource: workerMetricsSource(store),
    classify,
  });
  const { app } = service;
  app.openAPIRegistry.registerComponent("securitySchemes", "ingestToken", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "publicKey", {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
  });
  const metrics = apiMetrics(deps.metrics, store);
  const waker = createWaker(queues, logger);
  addIngestArticles(app, { config, store, metrics, waker });
  addArticles(app, { config, store });
  addSearch(app, { config, retrieval, metrics });
  return { ...service, waker };
}
