import { Counter, Histogram, queueLatency, type Registry } from "@isnad/lib/service/process";
import type { QueueName } from "@isnad/lib/work/queue";
import type { FrameDeps } from "./jobs/run.ts";
import type { PullDeps } from "./pull/run-pull.ts";

/** What the workers count and measure. */
export type WorkerMetrics = Pick<FrameDeps, "onStart" | "onEnd"> & {
  onDelivery(consumer: string, outcome: "delivered" | "failed", count: number): void;
  pulls: Required<Pick<PullDeps, "onEnd" | "onResults">>;
};

/** Providers whose pulls bring items. */
const PULL_PROVIDERS = ["rss", "newsdata", "scraper"];

/** Registers the metrics that are born in workers; the API exposes them. */
export function workerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const latency = queueLatency(registry);
  const jobs = new Histogram({
    name: "worker_job_duration_seconds",
    help: "Time that jobs take, in seconds.",
    labelNames: ["queue", "outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const articles = new Counter({
    name: "worker_articles_total",
    help: "Articles in jobs that ended.",
    labelNames: ["queue", "outcome"],
    registers,
  });
  const deliveries = new Counter({
    name: "outbox_deliveries_total",
    help: "Events handed to consumers of the outbox.",
    labelNames: ["consumer", "outcome"],
    registers,
  });
  const pullRuns = new Counter({
    name: "pull_runs_total",
    help: "Pulls of sources that ended.",
    labelNames: ["provider", "outcome"],
    registers,
  });
  const pullItems = new Counter({
    name: "pull_items_total",
    help: "Items that pulls met; conflict: changed at the source after it was taken in.",
    labelNames: ["provider", "status"],
    registers,
  });
  // A series that is there from the start shows its first increase as one.
  for (const provider of PULL_PROVIDERS) {
    for (const outcome of ["succeeded", "partial", "failed"]) pullRuns.inc({ provider, outcome }, 0);
    for (const status of ["accepted", "duplicate", "conflict", "failed"]) pullItems.inc({ provider, status }, 0);
  }
  return {
    pulls: {
      onEnd: (provider, outcome) => pullRuns.inc({ provider, outcome }),
      onResults(provider, results) {
        for (const { status } of results) pullItems.inc({ provider, status });
      },
    },
    onStart: (_queue: QueueName, waitedS) => latency.observe(waitedS),
    onEnd(queue, outcome, tookS, count) {
      jobs.observe({ queue, outcome }, tookS);
      articles.inc({ queue, outcome }, count);
    },
    onDelivery: (consumer, outcome, count) => deliveries.inc({ consumer, outcome }, count),
  };
}
