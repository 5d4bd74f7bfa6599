import { Counter, Gauge, Histogram, type Registry } from "@isnad/lib/process";
import type { EntityBacklog } from "@isnad/lib/store";

/** What is counted of the finding of entities. */
export type EntityMetrics = {
  onBatch(outcome: "done" | "failed", articles: number, tookS: number): void;
  onBacklog(backlog: EntityBacklog): void;
};

/** The metric whose label names the model that finds entities. */
export const MODEL_METRIC = "worker_entity_model_info";

/** Registers the metrics; `modelId` names the model, undefined when there is none that can be used. */
export function entityMetrics(registry: Registry, modelId: string | undefined): EntityMetrics {
  const registers = [registry];
  new Gauge({
    name: "worker_entity_model_ready",
    help: "1 when the model that finds entities can be used, else 0: articles then have none.",
    registers,
  }).set(modelId === undefined ? 0 : 1);
  const info = new Gauge({
    name: MODEL_METRIC,
    help: "The model that finds entities: 1 for each worker that uses it.",
    labelNames: ["model"],
    registers,
  });
  if (modelId !== undefined) info.set({ model: modelId }, 1);
  const articles = new Counter({
    name: "worker_entity_articles_total",
    help: "Articles in which entities were looked for.",
    labelNames: ["outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "worker_entity_batch_seconds",
    help: "Time that a batch of articles takes, in seconds.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const backlog = new Gauge({
    name: "worker_entity_backlog",
    help: "Articles whose entities are still to be found, or were given up.",
    labelNames: ["state"],
    // every worker reads the same number from the database
    aggregator: "max",
    registers,
  });
  return {
    onBatch(outcome, count, tookS) {
      articles.inc({ outcome }, count);
      if (outcome === "done") duration.observe(tookS);
    },
    onBacklog({ waiting, givenUp }) {
      backlog.set({ state: "waiting" }, waiting);
      backlog.set({ state: "given-up" }, givenUp);
    },
  };
}
