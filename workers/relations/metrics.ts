import { Counter, Gauge, Histogram, type Registry } from "@isnad/lib/process";
import type { RelationBacklog } from "@isnad/lib/store";

/** What is counted of the finding of relations. */
export type RelationMetrics = {
  onArticle(outcome: "done" | "failed", tookS: number): void;
  onBacklog(backlog: RelationBacklog): void;
};

/** Registers the metrics. */
export function relationMetrics(registry: Registry): RelationMetrics {
  const registers = [registry];
  const articles = new Counter({
    name: "worker_relation_articles_total",
    help: "Articles in which relations were looked for.",
    labelNames: ["outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "worker_relation_article_seconds",
    help: "Time that the relations of an article take, in seconds.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const backlog = new Gauge({
    name: "worker_relation_backlog",
    help: "Articles whose relations are still to be found, or were given up.",
    labelNames: ["state"],
    // every worker reads the same number from the database
    aggregator: "max",
    registers,
  });
  return {
    onArticle(outcome, tookS) {
      articles.inc({ outcome });
      if (outcome === "done") duration.observe(tookS);
    },
    onBacklog({ waiting, givenUp }) {
      backlog.set({ state: "waiting" }, waiting);
      backlog.set({ state: "given-up" }, givenUp);
    },
  };
}
