import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from "prom-client";

export { Counter, Histogram, Registry } from "prom-client";

type Rest<Configuration> = Omit<Configuration, "name" | "help" | "labelNames" | "registers">;

/** Returns what registers metrics: each by its name, what it says, and the names of its labels. */
export function instruments(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string = never>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      rest: Rest<CounterConfiguration<L>> = {},
    ): Counter<L> => new Counter({ name, help, labelNames, registers, ...rest }),
    gauge: <L extends string = never>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      rest: Rest<GaugeConfiguration<L>> = {},
    ): Gauge<L> => new Gauge({ name, help, labelNames, registers, ...rest }),
    histogram: <L extends string = never>(
      name: string,
      help: string,
      labelNames: readonly L[],
      rest: Rest<HistogramConfiguration<L>>,
    ): Histogram<L> => new Histogram({ name, help, labelNames, registers, ...rest }),
  };
}

/** Returns a registry of its own, with the memory, processor time and start time of the process. */
export function createMetrics(): Registry {
  const registry = new Registry();
  const { counter, gauge } = instruments(registry);
  const startedAt = Date.now() / 1000 - process.uptime();
  gauge("process_resident_memory_bytes", "Resident memory in bytes.", [], {
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  gauge("process_start_time_seconds", "Start of the process, seconds since the epoch.", [], {
    collect() {
      this.set(startedAt);
    },
  });
  counter("process_cpu_seconds_total", "User and system processor time in seconds.", [], {
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
  const { histogram } = instruments(registry);
  return histogram("queue_latency_seconds", "Time jobs wait in the queue, in seconds.", [], {
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
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
  const { counter, histogram } = instruments(registry);
  const requests = counter("ai_classify_requests_total", "Classify requests.", ["task", "upstream", "status"]);
  const latency = histogram(
    "ai_classify_latency_ms",
    "Classification latency in milliseconds, of requests that were answered.",
    ["task", "upstream"],
    { buckets: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] },
  );
  const failures = counter("ai_classify_failures_total", "Classification failures.", ["task", "reason"]);
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
