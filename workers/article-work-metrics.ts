import { Counter, Gauge, Histogram, type Registry } from "@isnad/lib/service/process";
import type { Backlog } from "@isnad/lib/store";

/** What is counted of finding something in articles once they are indexed. */
export type ArticleWorkMetrics = {
  onBatch(outcome: "done" | "failed", articles: number, tookS: number): void;
  onBacklog(backlog: Backlog): void;
};

/** Registers `worker_NAME_articles_total`, `worker_NAME_UNIT_seconds` and `worker_NAME_backlog`. */
export function articleWorkMetrics(
  registry: Registry,
  { name, what, unit }: { name: string; what: string; unit: "article" | "batch" },
): ArticleWorkMetrics {
  const registers = [registry];
  const articles = new Counter({
    name: `worker_${name}_articles_total`,
    help: `Articles that were worked on for their ${what}.`,
    labelNames: ["outcome"],
    registers,
  });
  const duration = new Histogram({
    name: `worker_${name}_${unit}_seconds`,
    help: `Time that the ${what} of ${unit === "batch" ? "a batch of articles" : "an article"} take, in seconds.`,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const backlog = new Gauge({
    name: `worker_${name}_backlog`,
    help: `Articles that wait for their ${what}, or were given up.`,
    labelNames: ["state"],
    // every worker reads the same number from the database
    aggregator: "max",
    registers,
  });
  return {
    onBatch(outcome, count, tookS) {
      articles.inc({ outcome }, count);
      if (outcome === "done") duration.observe(tookS);
    },
    onBacklog({ waiting, givenUp }) {
      backlog.set({ state: "waiting" }, waiting);
      backlog.set({ state: "given-up" }, givenUp);
    },
  };
}
