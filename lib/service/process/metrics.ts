import { Counter, Gauge, Histogram, Registry } from "prom-client";

export { Counter, Gauge, Histogram, Registry } from "prom-client";

/** A registry of its own, with the memory, processor time and start time of the process. */
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
 * The histogram of the time that jobs wait in the queue, in seconds. Workers observe it, and the API, which exposes
 * their observations, has it too: empty, so that it is there before the first job.
 */
export function queueLatency(registry: Registry): Histogram {
  return new Histogram({
    name: "queue_latency_seconds",
    help: "Time jobs wait in the queue, in seconds.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
    registers: [registry],
  });
}
