import { Counter, Gauge, Histogram, Registry } from "prom-client";

export { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Returns a registry of its own, with the memory, processor time and start time of the process. */
export function createMetrics(): Registry {
  const registry = new Registry();
  const registers = [registry];
  const startedAt = Date.now() / 1000 - process.uptime();
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory in bytes.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "Start of the process, seconds since the epoch.",
    registers,
    collect() {
      this.set(startedAt);
    },
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "User and system processor time in seconds.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  return registry;
}

/**
 * Returns the histogram of the time that jobs wait in the queue, in seconds. Workers observe it, and the API, which
 * exposes their observations, has it too: empty, so that it is there before the first job.
 */
export function queueLatency(registry: Registry): Histogram {
  return new Histogram({
    name: "queue_latency_seconds",
    help: "Time jobs wait in the queue, in seconds.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
    registers: [registry],
  });
}

/** Describes where the API finds the metrics of other processes, by the name of each. */
type PublishedMetrics = { put(instance: string, metrics: Json[]): Promise<void> };

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Unchanged metrics are put again after this time, in milliseconds: who is silent for long counts as gone. */
const REFRESH_MS = 3_000;

/**
 * Makes a function that puts the metrics of `registry` where the API finds them, under the name `instance`; it does
 * nothing while none has changed. Only those named by `only` are put, and never those that speak of one process alone
 * (`process_*`, `http_*`).
 */
export function metricsPublisher(
  published: PublishedMetrics,
  instance: string,
  registry: Registry,
  { only = () => true, refreshMs = REFRESH_MS }: { only?: (name: string) => boolean; refreshMs?: number } = {},
): () => Promise<void> {
  let put: { text: string; at: number } | undefined;
  return async () => {
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    const shown = names.filter((name) => !/^(process_|http_)/.test(name) && only(name));
    // To collect the others takes longer than all else here.
    const text = JSON.stringify(await Promise.all(shown.map((name) => registry.getSingleMetric(name)?.get())));
    if (put?.text === text && performance.now() - put.at < refreshMs) return;
    const metrics: Json = JSON.parse(text);
    if (!Array.isArray(metrics)) throw new TypeError("metrics as JSON are a list");
    await published.put(instance, metrics);
    put = { text, at: performance.now() };
  };
}

/** Describes what texts are classified for: which sentences are worth a check of facts, which words name something. */
type ClassifyTask = "check-worthiness" | "entities";

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
