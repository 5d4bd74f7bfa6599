import { Counter, Histogram, type Registry } from "prom-client";

/** What texts are classified for: which sentences are worth a check of facts, which words name something. */
export type ClassifyTask = "check-worthiness" | "entities";

/** Counts and times classifications. */
export type ClassifyMetrics = {
  /** Does `work`, the classification of one request by `upstream` (the name of the model); passes on what it throws. */
  measure<T>(task: ClassifyTask, upstream: string, work: () => Promise<T>): Promise<T>;
};

/**
 * Registers the metrics of classifications. They are measured where the models run; the API, which exposes what was
 * measured there, has them too: empty, so that they are there before the first one.
 */
export function classifyMetrics(registry: Registry): ClassifyMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "ai_classify_requests_total",
    help: "Classify requests.",
    labelNames: ["task", "upstream", "status"],
    registers,
  });
  const latency = new Histogram({
    name: "ai_classify_latency_ms",
    help: "Classification latency in milliseconds, of requests that were answered.",
    labelNames: ["task", "upstream"],
    buckets: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000],
    registers,
  });
  const failures = new Counter({
    name: "ai_classify_failures_total",
    help: "Classification failures.",
    labelNames: ["task", "reason"],
    registers,
  });
  return {
    async measure(task, upstream, work) {
      const start = performance.now();
      try {
        const result = await work();
        requests.inc({ task, upstream, status: "ok" });
        latency.observe({ task, upstream }, performance.now() - start);
        return result;
      } catch (error) {
        const reason = reasonOf(error);
        requests.inc({ task, upstream, status: reason === ABORTED ? ABORTED : "error" });
        if (reason !== ABORTED) failures.inc({ task, reason });
        throw error;
      }
    },
  };
}

/** The caller went away: nothing failed. */
const ABORTED = "aborted";

/** One word out of a closed list: the slug of a problem, the code of what a model throws, or `error`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  if (error.name === "AbortError") return ABORTED;
  if ("slug" in error && typeof error.slug === "string") return error.slug;
  if (error.name === "InferenceError" && "code" in error && typeof error.code === "string") return error.code;
  return "error";
}
