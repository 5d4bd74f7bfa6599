import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { NOT_LOADED } from "@isnad/lib/models";
import { createMetrics } from "@isnad/lib/service/process";
import { admitItems, testItem, testStage } from "@isnad/lib/store/testing";
import { testReader } from "../testing/run-stage.ts";
import { openPlatform } from "../testing/platform.ts";
import { until } from "@isnad/lib/std/testing-until";
import { enlistAll } from "../upkeep.ts";

setDefaultTimeout(300_000);

const platform = await openPlatform();
const { store, queues } = platform;
const stage = testStage(store, "rerank");

afterEach(() => platform.stopWorkers());
afterAll(() => platform.close());

let serial = 0;

async function post(count = 1): Promise<number[]> {
  const items = Array.from({ length: count }, () => testItem());
  const ids = await admitItems(store, items);
  await queues.add("ingestion", { id: `rerank-${serial++}`, data: { articleIds: ids } });
  return ids;
}

const indexed = (ids: readonly number[]) => async () =>
  (await store.articles.byIds(ids, ["state"])).every(({ state }) => state === "indexed");
const haveVectors = (ids: readonly number[], modelId: string) => async () =>
  (await store.rerank.vectorsOf(ids, { modelId })).size === ids.length;

test("an article that was posted comes to be read, and the metrics count it", async () => {
  const reader = testReader();
  const metrics = createMetrics();
  await platform.worker({}, { reader: { model: reader }, metrics });
  const ids = await post(3);
  await until("they have vectors", haveVectors(ids, reader.modelId));
  await until("nothing waits", async () =>
    (await metrics.metrics()).includes('worker_stage_backlog{stage="rerank",state="waiting"} 0'),
  );
  const counted = 'worker_stage_articles_total{stage="rerank",outcome="done"} 3';
  await until("they are counted", async () => (await metrics.metrics()).includes(counted));
});

test("without the setting none is to be read; once it is on, those come to be read, too", async () => {
  const metrics = createMetrics();
  await platform.worker({}, { metrics });
  const ids = await post(2);
  await until("they are indexed", indexed(ids));
  expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
  expect(await metrics.metrics()).not.toContain('stage="rerank"');
  await platform.stopWorkers();
  const reader = testReader();
  const worker = await platform.worker({}, { reader: { model: reader } });
  await until("they have vectors", haveVectors(ids, reader.modelId));
  await until("it says so", () => worker.state.rerank === "current");
});

test("while the model cannot be used articles are indexed and wait, and are read once there is one", async () => {
  const metrics = createMetrics();
  await platform.worker({}, { reader: NOT_LOADED, metrics });
  const ids = await post(2);
  await until("they are indexed", indexed(ids));
  await until("the backlog is shown", async () =>
    (await metrics.metrics()).includes('worker_stage_backlog{stage="rerank",state="waiting"} 2'),
  );
  await platform.stopWorkers();
  const reader = testReader();
  await platform.worker({}, { reader: { model: reader } });
  await until("they have vectors", haveVectors(ids, reader.modelId));
});

test("another model reads all articles anew", async () => {
  const [first, second] = [testReader(), testReader({ modelId: "test-reader@2" })];
  await platform.worker({}, { reader: { model: first } });
  const ids = await post(2);
  await until("they have vectors", haveVectors(ids, first.modelId));
  await platform.stopWorkers();
  await platform.worker({}, { reader: { model: second } });
  await until("they have those of the other model", haveVectors(ids, second.modelId));
  expect(await store.rerank.vectorsOf(ids, { modelId: first.modelId })).toEqual(new Map());
});

test("a stop in the middle gives the articles back", async () => {
  const begun = Promise.withResolvers<void>();
  const hangs = testReader({
    before: (_, signal) =>
      new Promise((_, reject) => {
        begun.resolve();
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  await platform.worker({}, { reader: { model: hangs } });
  const ids = await post(2);
  await begun.promise;
  await platform.stopWorkers();
  const reader = testReader();
  await platform.worker({}, { reader: { model: reader } });
  await until("they have vectors", haveVectors(ids, reader.modelId));
});

test("putting articles on the list goes on where it was cut short", async () => {
  const modelId = "test-reader@3";
  await platform.worker();
  const ids = await post(5);
  await until("they are indexed", indexed(ids));
  const { waiting } = await stage.backlog();
  const enlist = (each: { afterId: number; limit: number }) => store.rerank.enlist({ ...each, modelId });
  const stopped = AbortSignal.abort(new Error("stop"));
  await expect(enlistAll(enlist, { signal: stopped })).rejects.toThrow("stop");
  const { signal } = new AbortController();
  const enlisted = await enlistAll(enlist, { signal, stretch: 2 });
  expect(enlisted).toBeGreaterThanOrEqual(5);
  expect(await stage.backlog()).toEqual({ waiting: waiting + enlisted, setAside: 0 });
  expect(await enlistAll(enlist, { signal, stretch: 2 })).toBe(0);
});
