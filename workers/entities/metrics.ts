import { Gauge, type Registry } from "@isnad/lib/service/process";
import { type ArticleWorkMetrics, articleWorkMetrics } from "../article-work-metrics.ts";

/** The metric whose label names the model that finds entities. */
export const MODEL_METRIC = "worker_entity_model_info";

/** Registers the metrics; `modelId` names the model, undefined when there is none that can be used. */
export function entityMetrics(registry: Registry, modelId: string | undefined): ArticleWorkMetrics {
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
  return articleWorkMetrics(registry, { name: "entity", what: "entities", unit: "batch" });
}
