import { type ClassifyMetrics, classifyMetrics, Histogram, type Registry } from "@isnad/lib/service/process";

/** Holds what this service measures beside its requests. */
export type RetrievalMetrics = { rrfMs: Histogram; classified: ClassifyMetrics };

/** Tells whether the API shows this metric of the service as its own. */
export function isShownByApi(name: string): boolean {
  return name.startsWith("ai_");
}

/** Registers the service's own metrics. */
export function createRetrievalMetrics(metrics: Registry): RetrievalMetrics {
  return {
    classified: classifyMetrics(metrics),
    rrfMs: new Histogram({
      name: "inference_retrieval_rrf_ms",
      help: "Time to fuse the two ranked lists, in milliseconds.",
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers: [metrics],
    }),
  };
}
