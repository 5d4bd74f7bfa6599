import type { ClassifyMetrics, Histogram } from "@isnad/lib/service/process";

/** Holds what this service measures beside its requests. */
export type RetrievalMetrics = { rrfMs: Histogram; classified: ClassifyMetrics };
