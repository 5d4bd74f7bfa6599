import { afterAll, afterEach, expect, test } from "bun:test";
import { createLogger } from "@isnad/lib/service/process";
import type { NewJob, QueueCounts, QueueName } from "@isnad/lib/work/queue";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { type SweepLimits, sweep } from "./sweeper.ts";

const database = await testDatabase();
const store = openStore(database.url);
const logger = createLogger({ service: "test", level: "silent" });

afterAll(async () => {
  await store.close();
  await database.drop();
});

const added: { queue: QueueName; job: NewJob }[] = [];
afterEach(() => added.splice(0));

const fresh = (count: number) =>
  admitItems(
    store,
    Array.from({ length: count }, () => testItem()),
  );

const LIMITS: SweepLimits = { whenIdleS: 0, whenActiveS: 3_600, whenBusyS: 3_600, limit: 1_000, busyLimit: 1_000 };

function run(limits: Partial<SweepLimits> = {}, counts: Partial<Record<QueueName, Partial<QueueCounts>>> = {}) {
  const queues = {
    add: async (queue: QueueName, jobs: readonly NewJob[]) => {
      for (const job of jobs) added.push({ queue, job });
    },
    counts: async (queue: QueueName) => ({ waiting: 0, active: 0, delayed: 0, ...counts[queue] }),
  };
  return sweep({ store, queues, logger }, { ...LIMITS, ...limits });
}

const idsOf = (queue: QueueName) => added.filter((a) => a.queue === queue).flatMap((a) => a.job.data.articleIds);

test("what was accepted or normalized and has no job gets one in its queue", async () => {
  const [accepted = 0, normalized = 0] = await fresh(2);
  await store.articles.markNormalized([{ articleId: normalized, lang: "en" }]);
  expect(await run()).toBeGreaterThanOrEqual(2);
  expect(idsOf("ingestion")).toContain(accepted);
  expect(idsOf("ingestion")).not.toContain(normalized);
  expect(idsOf("analysis")).toContain(normalized);
});

test("what was queued a moment ago is left alone, also after a sweep has queued it", async () => {
  await fresh(3);
  expect(await run({ whenIdleS: 60 })).toBe(0);
  await run();
  expect(await run({ whenIdleS: 60 })).toBe(0);
});

test("many articles become few jobs, with ids that differ", async () => {
  await fresh(250);
  await run();
  const jobs = added.filter(({ queue }) => queue === "ingestion").map(({ job }) => job);
  expect(jobs.every(({ data }) => data.articleIds.length <= 100)).toBe(true);
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  expect(idsOf("ingestion").length).toBeGreaterThanOrEqual(250);
});

test("a busy queue is not swept before its longer time is over, and the other one is", async () => {
  const [normalized = 0] = await fresh(2);
  await store.articles.markNormalized([{ articleId: normalized, lang: "en" }]);
  await run({}, { ingestion: { waiting: 5 } });
  expect(idsOf("ingestion")).toEqual([]);
  expect(idsOf("analysis")).toContain(normalized);
});

test("the last jobs of a backlog, long queued and now in work, are not repeated at once", async () => {
  await fresh(1);
  await run({}, { ingestion: { active: 2 }, analysis: { active: 1 } });
  expect(added).toEqual([]);
});

test("a backlog grows by no more than a few jobs a sweep", async () => {
  await fresh(20);
  const busy = { whenBusyS: 0, busyLimit: 7 };
  expect(await run(busy, { ingestion: { waiting: 100 }, analysis: { delayed: 1 } })).toBeLessThanOrEqual(14);
  expect(idsOf("ingestion")).toHaveLength(7);
});

test("a failing article that waits for its next attempt counts as busy", async () => {
  await fresh(1);
  await run({}, { ingestion: { delayed: 1 }, analysis: { delayed: 1 } });
  expect(added).toEqual([]);
});
