import type { OptionalModel } from "@isnad/lib/models";
import { assertFollowing, type Follower } from "@isnad/lib/projection";
import { type Dependency, type ServiceClient, writesHealth, type WritesOptions } from "@isnad/lib/service/http";
import { instruments, type Registry } from "@isnad/lib/service/process";
import { assertThreadsRun, type ThreadStates } from "@isnad/lib/service/threads";
import type { Queues } from "@isnad/lib/work/queue";
import type { PullDeps } from "./pull/run-pull.ts";

/** Holds what the health of the workers depends on; without a model they are degraded, and work. */
type HealthParts = {
  writes: WritesOptions;
  queues: Pick<Queues, "ping">;
  embedder: OptionalModel<unknown>;
  tagger: OptionalModel<unknown>;
  /** Left out where no article is read for the reranker. */
  reader?: OptionalModel<unknown> | undefined;
  /** Left out where no claims are found. */
  classifier?: OptionalModel<unknown> | undefined;
  /** The linguistic service; left out where no relations are found. */
  nlp?: Pick<ServiceClient, "ping"> | undefined;
  /** Holds what feeds engines of other processes. */
  followers?: readonly Follower[];
  /** Says how the threads of the models, the feed reader and the check of pulled items stand. */
  threads: () => ThreadStates;
};

/** The dependencies of the workers by name. */
export function workerHealth(parts: HealthParts): Record<string, Dependency> {
  const { writes, queues, nlp, embedder, tagger, reader, classifier, followers = [], threads } = parts;
  const model = ({ problem }: OptionalModel<unknown>): Dependency => ({
    check: async () => {
      if (problem !== undefined) throw problem;
    },
    critical: false,
  });
  return {
    ...writesHealth(writes),
    queue: { check: () => queues.ping(), critical: true },
    embedding: model(embedder),
    entities: model(tagger),
    ...(reader !== undefined && { rerank: model(reader) }),
    ...(classifier !== undefined && { check_worthiness: model(classifier) }),
    ...(nlp !== undefined && { linguistic: { check: (signal) => nlp.ping(signal), critical: false } }),
    ...(followers.length > 0 && { followers: { check: () => assertFollowing(followers), critical: false } }),
    threads: { check: async () => assertThreadsRun(threads()), critical: false },
  };
}

type WorkerMetrics = {
  onDelivery(consumer: string, outcome: "delivered" | "failed", count: number): void;
  pulls: Required<Pick<PullDeps, "onEnd" | "onResults">>;
};

/** Providers whose pulls bring items. */
const PULL_PROVIDERS = ["rss", "newsdata", "scraper"];

/** Registers the metrics that are born in workers; the API exposes them. */
export function workerMetrics(registry: Registry): WorkerMetrics {
  const { counter } = instruments(registry);
  const deliveries = counter("outbox_deliveries_total", "Events handed to consumers of the outbox.", [
    "consumer",
    "outcome",
  ]);
  const pullRuns = counter("pull_runs_total", "Pulls of sources that ended.", ["provider", "outcome"]);
  const pullItems = counter(
    "pull_items_total",
    "Items that pulls met; conflict: changed at the source after it was taken in.",
    ["provider", "status"],
  );
  // A series that is there from the start shows its first increase as one.
  for (const provider of PULL_PROVIDERS) {
    for (const outcome of ["succeeded", "partial", "failed"]) pullRuns.inc({ provider, outcome }, 0);
    for (const status of ["accepted", "duplicate", "conflict", "failed"]) pullItems.inc({ provider, status }, 0);
  }
  return {
    pulls: {
      onEnd: (provider, outcome) => pullRuns.inc({ provider, outcome }),
      onResults(provider, results) {
        for (const { status } of results) pullItems.inc({ provider, status });
      },
    },
    onDelivery: (consumer, outcome, count) => deliveries.inc({ consumer, outcome }, count),
  };
}

/** The metric whose label names the model that finds entities. */
export const MODEL_METRIC = "worker_entity_model_info";

/** Registers the metrics of the model that finds entities; undefined when there is none that can be used. */
export function entityModelMetrics(registry: Registry, modelId: string | undefined): void {
  const { gauge } = instruments(registry);
  gauge(
    "worker_entity_model_ready",
    "1 when the model that finds entities can be used, else 0: articles then have none.",
  ).set(modelId === undefined ? 0 : 1);
  const info = gauge(MODEL_METRIC, "The model that finds entities: 1 for each worker that uses it.", ["model"]);
  if (modelId !== undefined) info.set({ model: modelId }, 1);
}
