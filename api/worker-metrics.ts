import type { MetricsSource } from "@isnad/lib/service/http";
import type { Store } from "@isnad/lib/store";

/** A worker that was silent for longer is gone, in seconds. */
const MAX_AGE_S = 60;

/** The metrics that the workers have left in the store. */
export function workerMetricsSource(store: Pick<Store, "workerMetrics">): MetricsSource {
  return async () => (await store.workerMetrics.all(MAX_AGE_S)).map(({ body }) => body);
}
