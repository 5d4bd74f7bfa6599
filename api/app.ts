import { WebhookEvent } from "@isnad/lib/contract";
import { createCheckThread, createEnqueuer } from "@isnad/lib/ingest";
import { VERSION } from "@isnad/lib/service/config";
import {
  bodyOf,
  createLimiters,
  createService,
  createServiceClient,
  type HttpEnv,
  type MetricsSource,
  type OpenAPIHono,
  type Service,
  storedKeys,
  writesHealth,
} from "@isnad/lib/service/http";
import { assertThreadsRun } from "@isnad/lib/service/threads";
import type { Store } from "@isnad/lib/store";
import type { ApiDeps } from "./deps.ts";
import { addDesk, PAGES } from "./desk/mod.ts";
import { apiMetrics } from "./metrics.ts";
import { ROUTES } from "./routes.ts";

/** Documents what the workers post to the addresses of OUTBOX_WEBHOOK_URLS. */
function documentWebhooks(app: OpenAPIHono<HttpEnv>): void {
  app.openAPIRegistry.registerWebhook({
    method: "post",
    path: "article",
    operationId: "receiveArticleEvent",
    tags: ["articles"],
    summary: "An article came, changed at its source, or was deleted; or what else happened, by `type`",
    description:
      "Posted to every address of OUTBOX_WEBHOOK_URLS, in order for each subject (its article where it has no other), until it is answered with 2xx. " +
      "`X-Signature` is `sha256=` and the HMAC-SHA-256 of the body under OUTBOX_WEBHOOK_SECRET, in hex.",
    request: { body: bodyOf(WebhookEvent) },
    responses: { 200: { description: "Any 2xx: taken." } },
  });
}

/** A worker that was silent for longer is gone, in seconds. */
const MAX_AGE_S = 60;

/** The metrics that the workers have left in the store. */
function workerMetricsSource(store: Pick<Store, "workerMetrics">): MetricsSource {
  return async () => (await store.workerMetrics.all(MAX_AGE_S)).map(({ body }) => body);
}

/** The central API: a service, and what it does beside its requests. */
export type Api = Service & {
  /** Resolves when the accepted articles are queued; to be waited for before the queues are closed. */
  settled(): Promise<void>;
  /** Waits for that, and ends the API's thread. */
  close(): Promise<void>;
};

const DESCRIPTION = `The gateway through which articles enter the platform and are found again.

Articles are submitted to the ingest route and acknowledged at once; they are normalized, analysed and indexed in the background.`;

/** Time that a search may take, in milliseconds. */
const SEARCH_MS = 10_000;

/** Time until the answer to a chat begins, in milliseconds: what was found for it. */
const CHAT_MS = 30_000;

/** Makes the central API over its dependencies. */
export function createApp(deps: ApiDeps): Api {
  const { config, store, queues, logger } = deps;
  const thread = createCheckThread({ logger });
  const internalToken = config.tokens.internal[0];
  const retrieval = createServiceClient({
    ...{ name: "search service", baseUrl: config.retrievalUrl, timeoutMs: SEARCH_MS, internalToken },
  });
  const edge = createServiceClient({
    name: "chat service",
    baseUrl: config.edgeUrl,
    timeoutMs: CHAT_MS,
    internalToken,
    headers: { "x-api-key": config.tokens.edge[0] ?? "" },
  });
  const linguistic = createServiceClient({
    name: "linguistic service",
    baseUrl: config.nlpUrl,
    timeoutMs: SEARCH_MS,
    internalToken,
  });
  const scraper = createServiceClient({
    name: "scraper",
    baseUrl: config.scraperUrl,
    timeoutMs: SEARCH_MS,
    internalToken,
  });
  const limiter = createLimiters(deps.metrics, config.limits);
  const service = createService({
    name: "api",
    version: VERSION,
    description: DESCRIPTION,
    config,
    logger,
    metrics: deps.metrics,
    deps: {
      ...writesHealth({ store, dataDir: config.dataDir, logger, metrics: deps.metrics }),
      queue: { check: () => queues.ping(), critical: false },
      retrieval: { check: (signal) => retrieval.ping(signal), critical: false },
      edge: { check: (signal) => edge.ping(signal), critical: false },
      ...(config.workers.extractRelations && {
        linguistic: { check: (signal) => linguistic.ping(signal), critical: false },
      }),
      threads: { check: async () => assertThreadsRun({ item_check: thread.threads() }), critical: false },
    },
    entityTags: true,
    access: {
      roles: [
        {
          tokens: config.tokens.ingest,
          place: "bearer",
          rights: ["read", "ingest", "desk", ...(config.ingest.mayDelete ? ["delete" as const] : [])],
        },
        { tokens: config.tokens.scraper, place: "bearer", rights: ["read", "desk"] },
      ],
      ...storedKeys(store),
    },
    healthPaths: ["/api/v1/health", "/health"],
    metricsSource: workerMetricsSource(store),
  });
  const { app, access } = service;
  app.openAPIRegistry.registerComponent("securitySchemes", "ingestToken", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "publicKey", {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
  });
  documentWebhooks(app);
  const enqueuer = createEnqueuer(queues, logger);
  const parts = {
    ...deps,
    access,
    metrics: apiMetrics(deps.metrics, store),
    enqueuer,
    thread,
    ingestLimiter: limiter("ingest", config.limits.ingest),
    limiter: limiter("search", config.limits.search),
    retrieval,
    linguistic,
    edge,
    scraper,
    publicBaseUrl: config.publicBaseUrl,
  };
  for (const [add] of ROUTES) add(app, parts);
  if (deps.desk !== undefined) addDesk(app, { config, access, store, assets: deps.desk }, PAGES);
  return {
    ...service,
    settled: () => enqueuer.settled(),
    close: async () => {
      await enqueuer.settled();
      await thread.close();
    },
  };
}
