import { expect, test } from "bun:test";
import { createMetrics } from "@isnad/lib/service/process";
import { workerMetrics } from "./telemetry.ts";

async function shown(work: (measures: ReturnType<typeof workerMetrics>) => void): Promise<string[]> {
  const registry = createMetrics();
  work(workerMetrics(registry));
  return (await registry.metrics()).split("\n").filter((line) => line.startsWith("pull_"));
}

test("pulls are counted by provider and outcome, their items by provider and status", async () => {
  const lines = await shown(({ pulls }) => {
    pulls.onEnd("rss", "succeeded");
    pulls.onEnd("rss", "succeeded");
    pulls.onEnd("newsdata", "partial");
    pulls.onResults("rss", [
      { external_id: "a", status: "accepted", article_id: 1 },
      { external_id: "b", status: "conflict" },
      { external_id: "c", status: "conflict" },
    ]);
  });
  expect(lines).toContain('pull_runs_total{provider="rss",outcome="succeeded"} 2');
  expect(lines).toContain('pull_runs_total{provider="newsdata",outcome="partial"} 1');
  expect(lines).toContain('pull_items_total{provider="rss",status="accepted"} 1');
  expect(lines).toContain('pull_items_total{provider="rss",status="conflict"} 2');
});

test("what has not happened yet is there as 0", async () => {
  const lines = await shown(() => {});
  expect(lines).toContain('pull_runs_total{provider="scraper",outcome="failed"} 0');
  expect(lines).toContain('pull_items_total{provider="newsdata",status="duplicate"} 0');
});
