import { isObject } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import { MODEL_METRIC } from "../../workers/metrics.ts";

/** A worker process and the model with which it finds entities. */
export type TaggerAtWork = { instance: string; modelId: string };

/** A worker that has said nothing for this long counts as gone. */
const SILENT_S = 10;

/** The models with which running workers find entities, as their published metrics say. */
export async function taggersAtWork(store: Pick<Store, "workerMetrics">): Promise<TaggerAtWork[]> {
  const all = await store.workerMetrics.all(SILENT_S);
  return all.flatMap(({ instance, body }) => modelsIn(body).map((modelId) => ({ instance, modelId })));
}

/** The models that a worker's metrics, as JSON, name. */
function modelsIn(body: unknown): string[] {
  const metrics = Array.isArray(body) ? body.filter(isObject) : [];
  const values = metrics.find(({ name }) => name === MODEL_METRIC)?.values;
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown) => {
    const labels = isObject(value) ? value.labels : undefined;
    return isObject(labels) && typeof labels.model === "string" ? [labels.model] : [];
  });
}
