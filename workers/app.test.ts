import { afterAll, afterEach, expect, test } from "bun:test";
import { createMetrics } from "@isnad/lib/service/process";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { AggregatorRegistry } from "prom-client";
import { webhook } from "./outbox/webhook.ts";
import { openPlatform } from "./testing/platform.ts";
import { startReceiver } from "./testing/receivers.ts";
import { until } from "@isnad/lib/std/testing-until";

const platform = await openPlatform();
const { store, queues, missing, embedder } = platform;

afterEach(() => platform.stopWorkers());
afterAll(() => platform.close());

let serial = 0;
const items = (count: number, over = {}) => Array.from({ length: count }, () => testItem(over));

async function post(count: number, over = {}): Promise<number[]> {
  const ids = await admitItems(store, items(count, over));
  await queues.add("ingestion", { id: `request-${serial++}`, data: { articleIds: ids } });
  return ids;
}

async function states(ids: readonly number[]): Promise<string[]> {
  return (await store.articles.byIds(ids, ["state"])).map(({ state }) => state);
}

const indexed = (ids: readonly number[]) => async () => (await states(ids)).every((state) => state === "indexed");

/** How many passages of each article are among all changes, counting those that still stand. */
async function passages(ids: readonly number[]): Promise<number[]> {
  const standing = new Map<number, number>();
  let seq = 0;
  for (;;) {
    const { changes, nextSeq } = await store.chunks.since(embedder.modelId, seq, 1_000);
    if (changes.length === 0) return ids.map((id) => standing.get(id) ?? 0);
    for (const change of changes) {
      if (change.kind === "delete") standing.delete(change.articleId);
      else standing.set(change.articleId, (standing.get(change.articleId) ?? 0) + 1);
    }
    seq = nextSeq;
  }
}

test("an accepted article comes to be indexed: language, category, signature, keyword document and passages", async () => {
  await platform.worker();
  const [id = 0] = await post(1, { lang: null, categoryLabel: "business", provider: "newsdata" });
  await until("it is indexed", indexed([id]));
  expect(await store.articles.get(id)).toMatchObject({
    state: "indexed",
    lang: "en",
    categoryId: "economy",
    categorySource: "provider",
    categoryConfidence: 100,
    taxonomyVersion: expect.any(String),
  });
  await until("it is found by word", async () => (await missing([id])).length === 0);
  expect(await passages([id])).toEqual([1]);
});

test("a text that is neither Arabic nor English fails, and is in no index", async () => {
  await platform.worker();
  const content = `Le ministère a annoncé que la vieille ligne de bac resterait ouverte pendant tout l'hiver après une
    longue réunion avec les propriétaires des bateaux, et que le premier départ aurait lieu avant le lever du soleil.`;
  const [id = 0] = await post(1, { lang: null, title: `Le bac ${serial}`, content: `${content} ${serial}` });
  await until("it has failed", async () => (await states([id]))[0] === "failed");
  expect((await store.articles.get(id))?.stateReason).toBe("unsupported-language");
  expect(await missing([id])).toEqual([id]);
  expect(await passages([id])).toEqual([0]);
});

test("wake-up calls that come more than once index an article once and tell of it once", async () => {
  const receiver = startReceiver();
  const ids = await post(40);
  await queues.add("ingestion", { id: "again-1", data: { articleIds: ids } });
  await queues.add("ingestion", { id: "again-2", data: { articleIds: ids.toReversed() } });
  await platform.worker({}, { consumers: [webhook({ url: receiver.url, secret: "s" })] });
  await until("all are indexed", indexed(ids));
  await queues.add("analysis", { id: "again-3", data: { articleIds: ids } });
  const told = () => receiver.received.filter(({ event }) => ids.includes(event.articleId));
  await until("the outbox is empty", () => told().length >= ids.length);
  await Bun.sleep(150);
  expect(told()).toHaveLength(ids.length);
  expect(await passages(ids)).toEqual(ids.map(() => 1));
  await receiver.stop();
});

test("an article whose wake-up call was lost is found by the clock, at either stage", async () => {
  const ids = await admitItems(store, items(3));
  const [normalized = 0] = ids;
  await store.articles.markNormalized([{ articleId: normalized, lang: "en" }]);
  await platform.worker();
  await until("all are indexed", indexed(ids));
});

test("a deleted article leaves the keyword index", async () => {
  await platform.worker();
  const [id = 0, other = 0] = await post(2);
  await until("both are indexed", indexed([id, other]));
  await until("both are found by word", async () => (await missing([id, other])).length === 0);
  await store.articles.remove(id);
  await until("it has left", async () => (await missing([id])).length === 1);
  expect(await missing([other])).toEqual([]);
  expect(await passages([id])).toEqual([0]);
});

test("the metrics of the worker are where the API finds them", async () => {
  await platform.worker({}, { metrics: createMetrics(), instance: "metrics-test" });
  const ids = await post(2);
  await until("all are indexed", indexed(ids));
  const published = async () => {
    const entry = (await store.workerMetrics.all(60)).find(({ instance }) => instance === "metrics-test");
    return AggregatorRegistry.aggregate([JSON.parse(JSON.stringify(entry?.body ?? []))]).metrics();
  };
  const counted = 'worker_stage_articles_total{stage="analysis",outcome="done"} 2';
  await until("its work was published", async () => (await published()).includes(counted));
  const text = await published();
  expect(text).toContain("queue_latency_seconds_count 4\n");
  expect(text).not.toContain("process_resident_memory_bytes");
});

test("a stop in the middle of work gives it back, and another worker ends it", async () => {
  const ids = await post(100);
  await platform.worker();
  await Bun.sleep(30);
  await platform.stopWorkers();
  await platform.worker();
  await until("all are indexed", indexed(ids));
  expect(await passages(ids)).toEqual(ids.map(() => 1));
});

test("a worker says so each time that its stages have rested", async () => {
  let rests = 0;
  await platform.worker({ workMs: 10, restMs: 300 }, { onRest: () => rests++ });
  await until("the new worker has rested", () => rests > 0);
  const before = rests;
  const ids = await post(2);
  await until("they are indexed", indexed(ids));
  await until("it has rested again", () => rests > before);
});
