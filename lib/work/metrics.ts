import { Counter, Gauge, Histogram, queueLatency, type Registry } from "../service/process/mod.ts";
import type { StageBacklog, WorkItem } from "../store/mod.ts";

/** Says how a run of a stage ended: `away` where it could not be done now, and nobody is to blame. */
type RunEnd = "done" | "failed" | "away";

/** Holds what is counted of the stages. */
export type WorkMetrics = {
  /** Counts a run that begins; returns how long its oldest article has waited, in milliseconds. */
  onStart(stage: string, articles: readonly WorkItem[]): number;
  onEnd(stage: string, outcome: RunEnd, tookS: number, articles: number): void;
  onSetAside(stage: string, articles: number): void;
  onBacklog(backlog: readonly StageBacklog[]): void;
};

/** The stages that are queues of the specification; `queue_latency_seconds` is theirs. */
const QUEUES: ReadonlySet<string> = new Set(["ingestion", "analysis"]);

/** Registers the metrics of the stages of these names, and `queue_latency_seconds`. */
export function workMetrics(registry: Registry, stages: readonly string[]): WorkMetrics {
  const registers = [registry];
  const latency = queueLatency(registry);
  const runs = new Histogram({
    name: "worker_stage_seconds",
    help: "Time that runs of a stage take, in seconds.",
    labelNames: ["stage", "outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const articles = new Counter({
    name: "worker_stage_articles_total",
    help: "Articles in runs of a stage that ended.",
    labelNames: ["stage", "outcome"],
    registers,
  });
  const aside = new Counter({
    name: "worker_stage_set_aside_total",
    help: "Articles that were set aside after their last attempt.",
    labelNames: ["stage"],
    registers,
  });
  const backlog = new Gauge({
    name: "worker_stage_backlog",
    help: "Articles that wait for a stage, or were set aside in it.",
    labelNames: ["stage", "state"],
    // every worker reads the same number from the database
    aggregator: "max",
    registers,
  });
  // A series that is there from the start shows its first increase as one.
  for (const stage of stages) {
    aside.inc({ stage }, 0);
    for (const outcome of ["done", "failed", "away"]) articles.inc({ stage, outcome }, 0);
  }
  return {
    onStart(stage, claimed) {
      const now = Date.now();
      const waits = claimed.map(({ queuedAtMs }) => Math.max(0, now - queuedAtMs));
      if (QUEUES.has(stage)) for (const waitMs of waits) latency.observe(waitMs / 1000);
      return Math.max(0, ...waits);
    },
    onEnd(stage, outcome, tookS, count) {
      if (tookS > 0) runs.observe({ stage, outcome }, tookS);
      articles.inc({ stage, outcome }, count);
    },
    onSetAside: (stage, count) => aside.inc({ stage }, count),
    onBacklog(list) {
      const byStage = new Map(list.map((entry) => [entry.stage, entry]));
      for (const stage of new Set([...stages, ...byStage.keys()])) {
        backlog.set({ stage, state: "waiting" }, byStage.get(stage)?.waiting ?? 0);
        backlog.set({ stage, state: "set-aside" }, byStage.get(stage)?.setAside ?? 0);
      }
    },
  };
}
