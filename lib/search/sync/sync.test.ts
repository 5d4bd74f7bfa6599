import { afterAll, expect, test } from "bun:test";
import { openStore } from "../../store/mod.ts";
import { indexedArticles, testDatabase } from "../../store/testing.ts";
import { cutPassages, embedPassages, reembed } from "./sync.ts";

const failure = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => String(error),
  );

const database = await testDatabase();
const store = openStore(database.url);

afterAll(async () => {
  await store.close();
  await database.drop();
});

/** A model of three dimensions: the text's length, its first letter, and one. */
function toy(modelId: string, calls: number[] = []) {
  return {
    modelId,
    async embed(texts: readonly string[]) {
      calls.push(texts.length);
      return texts.map((text) => new Float32Array([text.length / 4096, text.charCodeAt(0) / 4096, 1]));
    },
  };
}

test("passages carry their own vectors, also when the texts need several calls", async () => {
  const calls: number[] = [];
  const rows = Array.from({ length: 700 }, (_, i) => ({
    articleId: i + 1,
    title: "T",
    content: "x".repeat(i + 1),
    lang: "en",
  }));
  const { articles, broken } = await cutPassages(rows);
  const indexed = await embedPassages(toy("m@1", calls), articles);
  expect(broken).toEqual([]);
  expect(Math.max(...calls)).toBeLessThanOrEqual(512);
  expect(indexed.map(({ chunks }) => Math.round((chunks[0]?.vector[0] ?? 0) * 4096))).toEqual(
    rows.map(({ content }) => content.length + 2),
  );
});

test("an article that cannot be cut is set apart from the others", async () => {
  const good = { articleId: 1, title: "T", content: "A sentence.", lang: "en" };
  const content: string = JSON.parse("null");
  const { articles, broken } = await cutPassages([good, { ...good, articleId: 2, content }]);
  expect(articles.map(({ articleId }) => articleId)).toEqual([1]);
  expect(broken.map(({ articleId }) => articleId)).toEqual([2]);
});

test("an embedder that returns too few vectors is an error, not a shift", async () => {
  const { articles } = await cutPassages([{ articleId: 1, title: "T", content: "A sentence.", lang: "en" }]);
  const short = { embed: async () => [] };
  expect(await failure(embedPassages(short, articles))).toContain("0 vectors for 1 texts");
});

test("a new model is filled beside the old one, and a second run finds nothing to do", async () => {
  const ids = await indexedArticles(store, 23, "old@1");
  const steps: number[] = [];
  const done = await reembed({ store, embedder: toy("new@1"), batch: 10, onProgress: (n) => steps.push(n) });
  expect(done).toEqual({ embedded: 23, broken: [] });
  expect(steps).toEqual([10, 20, 23]);
  expect(await store.chunks.without("new@1", ids)).toEqual([]);
  expect(await store.chunks.without("old@1", ids)).toEqual([]);
  expect(await reembed({ store, embedder: toy("new@1") })).toEqual({ embedded: 0, broken: [] });
});

test("cut short, it goes on where it stopped", async () => {
  await indexedArticles(store, 9, "old@1");
  const stop = new AbortController();
  const first = reembed({
    store,
    embedder: toy("other@1"),
    batch: 4,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("enough")),
  });
  expect(await failure(first)).toContain("enough");
  const rest = await reembed({ store, embedder: toy("other@1"), batch: 4 });
  expect(await store.chunks.lacking("other@1", { afterId: 0, limit: 10 })).toEqual([]);
  expect(rest.embedded).toBeGreaterThanOrEqual(5);
});

test("a re-embedding tells nobody outside of it", async () => {
  const ids = await indexedArticles(store, 2, "old@1");
  const poll = () => store.outbox.claim("outside", { owner: "outside", limit: 1_000, leaseS: 60 });
  for (let events = await poll(); events.length > 0; events = await poll()) {
    await store.outbox.ack(
      "outside",
      events.map(({ id }) => id),
    );
  }
  await reembed({ store, embedder: toy("silent@1") });
  expect(await store.chunks.without("silent@1", ids)).toEqual([]);
  expect(await poll()).toEqual([]);
});
