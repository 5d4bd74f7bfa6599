import { checkIfOpen } from "@isnad/lib/models";
import { assertCaughtUp, assertFollowing } from "@isnad/lib/projection";
import { embedAcross, type KeywordIndex, type VectorSearch } from "@isnad/lib/search";
import { createLimiters, createService, type Service, storedKeys } from "@isnad/lib/service/http";
import { classifyMetrics, instruments, type Registry } from "@isnad/lib/service/process";
import { assertThreadsRun } from "@isnad/lib/service/threads";
import { createBranches, queryVectors } from "./branches.ts";
import { installed, type RetrievalDeps, type RetrievalMetrics } from "./deps.ts";
import { createDocuments } from "./documents.ts";
import { classify } from "./evidence.ts";
import { addCheckWorthiness, addClaims } from "./routes/check-worthiness.ts";
import { addPassages } from "./routes/passages.ts";
import { addQueryVectors } from "./routes/query-vectors.ts";
import { addRetrieve } from "./routes/retrieve.ts";
import { addSearch } from "./routes/search.ts";
import { addSimilar } from "./routes/similar.ts";
import { addSuggest, createEntityNames } from "./routes/suggest.ts";
import { FirstPages } from "./search/walk.ts";

/** Registers the service's own metrics. */
function createRetrievalMetrics(metrics: Registry): RetrievalMetrics {
  const { histogram } = instruments(metrics);
  return {
    classified: classifyMetrics(metrics),
    rrfMs: histogram("inference_retrieval_rrf_ms", "Time to fuse the two ranked lists, in milliseconds.", [], {
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
    }),
  };
}

/** The version that the retrieval service names itself by. */
const RETRIEVAL_VERSION = "0.1";

/** The retrieval service: evidence by word and by meaning. */
export function createApp(deps: RetrievalDeps): Service {
  const { config, logger, metrics, store, keyword, vectors } = deps;
  const service = createService({
    name: "retrieval",
    version: RETRIEVAL_VERSION,
    config,
    logger,
    metrics,
    description: "Hybrid retrieval over the platform's articles, in Arabic and English.",
    requestMetrics: { total: "inference_requests_total", duration: "inference_request_duration_seconds" },
    classify,
    access: storedKeys(store),
    deps: {
      database: { check: () => store.ping(), critical: true },
      keyword: { check: async () => assertReady((await keyword.status()).state), critical: false },
      vectors: { check: () => vectors.check(), critical: false },
      indexes: {
        check: () => Promise.all([assertCaughtUp(deps.followers), deps.remoteCaughtUp?.()]),
        critical: false,
        readiness: true,
      },
      followers: { check: () => assertFollowing(deps.followers), critical: false },
      embedding: {
        check: async (signal) => installed(deps.embedder).embed([""], "query", signal),
        critical: false,
      },
      check_worthiness: {
        check: async (signal) => checkIfOpen(installed(deps.classifier), (model) => model.classify(["a"], { signal })),
        critical: false,
      },
      threads: { check: async () => assertThreadsRun(deps.threads()), critical: false },
      rerank: {
        check: async (signal) =>
          checkIfOpen(installed(deps.reranker), (model) => model.rerank("a", [{ title: "a", text: "a" }], { signal })),
        critical: false,
      },
    },
  });
  const embed = embedAcross(
    queryVectors({ embed: async (...call) => installed(deps.embedder).embed(...call) }),
    (query) => keyword.reading(query),
  );
  const limiter = createLimiters(metrics, config.limits);
  const documents = createDocuments(store.articles);
  const parts = {
    ...deps,
    branches: createBranches({ ...deps, documents }, embed),
    documents,
    firstPages: new FirstPages(),
    embed,
    measured: createRetrievalMetrics(metrics),
    limiter: limiter("search", config.limits.search),
  };
  service.app.use(service.access.read());
  addSearch(service.app, parts);
  addSuggest(service.app, { ...parts, names: createEntityNames(store.entities) });
  addRetrieve(service.app, parts);
  addPassages(service.app, parts);
  addClaims(service.app, parts);
  addSimilar(service.app, parts);
  addQueryVectors(service.app, parts);
  addCheckWorthiness(service.app, { ...parts, limiter: limiter("classify", config.limits.classify) });
  return service;
}

function assertReady(state: string): void {
  if (state !== "ready") throw new Error(`the keyword index is ${state}`);
}

/** Registers how much each index holds, read when the metrics are; an index that cannot answer shows -1. */
export function addIndexGauges(
  metrics: Registry,
  { keyword, vectors }: { keyword: Pick<KeywordIndex, "count">; vectors: Pick<VectorSearch, "status"> },
): void {
  const { gauge } = instruments(metrics);
  gauge("retrieval_index_articles", "Articles that an index holds; -1 while it cannot answer.", ["index"], {
    async collect() {
      this.set({ index: "keyword" }, await orNone(keyword.count()));
      this.set({ index: "vector" }, await orNone(vectors.status().then(({ articles }) => articles)));
    },
  });
  gauge("retrieval_index_passages", "Passages whose vectors the vector index holds; -1 while it cannot answer.", [], {
    async collect() {
      this.set(await orNone(vectors.status().then(({ chunks }) => chunks)));
    },
  });
}

function orNone(count: Promise<number>): Promise<number> {
  return count.catch(() => -1);
}
