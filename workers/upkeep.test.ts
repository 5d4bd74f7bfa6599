import { afterAll, afterEach, expect, test } from "bun:test";
import { createLogger } from "@isnad/lib/service/process";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { openPlatform } from "./testing/platform.ts";
import { until } from "@isnad/lib/std/testing-until";
import { pruneAged, restLook } from "./upkeep.ts";

const platform = await openPlatform();
const { store, queues, missing } = platform;
const logger = createLogger({ service: "test", level: "silent" });
const { signal } = new AbortController();

afterEach(() => platform.stopWorkers());
afterAll(() => platform.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("articles beyond their retention leave the database and the index; those without a date count from their arrival", async () => {
  const dates = [daysAgo(40), daysAgo(31), daysAgo(29), null];
  const ids = await admitItems(
    store,
    dates.map((publishedAt) => testItem({ publishedAt })),
  );
  const worker = await platform.worker({});
  await queues.add("ingestion", { id: "r", data: { articleIds: ids } });
  await until("they are in the index", async () => (await missing(ids)).length === 0);
  await worker.stop();
  await platform.worker({ pruneMs: 50 }, { retentionDays: 30 });
  await until("the old ones have left it", async () => (await missing(ids)).length === 2);
  expect(await missing(ids)).toEqual(ids.slice(0, 2));
  const left = (await store.articles.byIds(ids, ["articleId"])).map(({ articleId }) => articleId);
  expect(new Set(left)).toEqual(new Set(ids.slice(2)));
});

test("two workers at the same time delete each article once", async () => {
  await admitItems(
    store,
    Array.from({ length: 20 }, () => testItem({ publishedAt: daysAgo(400) })),
  );
  const deps = { store, logger, days: 300, signal };
  const deleted = await Promise.all([pruneAged(deps), pruneAged(deps)]);
  expect(deleted[0] + deleted[1]).toBe(20);
});

test("a worker that stops leaves the rest for the next", async () => {
  const [id = 0] = await admitItems(store, [testItem({ publishedAt: daysAgo(400) })]);
  expect(await pruneAged({ store, logger, days: 300, signal: AbortSignal.abort() })).toBe(0);
  expect(await store.articles.byIds([id], ["articleId"])).toHaveLength(1);
});

test("a rest is told of once, and the next one again", () => {
  let restedMs = 0;
  let told = 0;
  const look = restLook(
    () => restedMs,
    60,
    () => told++,
  );
  const tolds = [0, 59, 60, 90, 1_000, 0, 59, 61].map((rested) => {
    restedMs = rested;
    look();
    return told;
  });
  expect(tolds).toEqual([0, 0, 1, 1, 1, 1, 1, 2]);
});
