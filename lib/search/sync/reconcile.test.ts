import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../store/mod.ts";
import { admitItems, indexedArticles, testDatabase, testItem } from "../../store/testing.ts";
import { openKeywordIndex } from "../keyword/mod.ts";
import { keywordWriter } from "./keyword-writer.ts";
import { rebuildKeyword } from "./rebuild.ts";
import { type ReconcileOptions, reconcileKeyword } from "./reconcile.ts";

const failure = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => String(error),
  );

const database = await testDatabase();
const store = openStore(database.url);
const dir = mkdtempSync(join(tmpdir(), "isnad-sync-"));
const keyword = await openKeywordIndex({ dir, mode: "write" });

afterEach(() => keyword.clear());

afterAll(async () => {
  await keyword.close();
  await store.close();
  await database.drop();
  rmSync(dir, { recursive: true });
});

function reconcile(over: Partial<ReconcileOptions> = {}) {
  return reconcileKeyword({ store, keyword, ...over });
}

/** Documents whose ids are far above those of any article. */
function ghosts(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    articleId: 5_000_000 + i,
    title: "Ghost",
    content: "A document without an article",
    lang: "en",
    sourceId: "s",
    categoryId: null,
    domain: "x.example",
    tier: 3,
    publishedAt: null,
  }));
}

test("an empty index is filled with every indexed article, and says that it is complete", async () => {
  const ids = await indexedArticles(store, 25);
  await admitItems(store, [testItem()]);
  const seen: number[] = [];
  const done = await reconcile({ window: 7, onProgress: ({ added }) => seen.push(added) });
  expect(await keyword.missing(ids)).toEqual([]);
  expect(await keyword.count()).toBe(done.added);
  expect(done.removed).toBe(0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(await keyword.status()).toMatchObject({ state: "ready", complete: true });
});

test.each([1, 2, 3, 10, 1_000])("holes and ghosts are found with windows of %d ids", async (window) => {
  const ids = await indexedArticles(store, 12);
  await reconcile();
  const holes = ids.filter((_, i) => i % 5 === 0);
  await keyword.remove(holes);
  await keyword.upsert(ghosts(9));
  const done = await reconcile({ window });
  expect(done).toMatchObject({ added: holes.length, removed: 9 });
  expect(await keyword.missing(ids)).toEqual([]);
  expect(await reconcile({ window })).toMatchObject({ added: 0, removed: 0 });
});

test("a found article carries what filters look at, with the tier of its source", async () => {
  await store.sources.upsert([{ key: "test-source", tier: 1 }]);
  const [id = 0] = await indexedArticles(store, 1);
  await reconcile();
  const query = { text: "harbour nightfall", limit: 1_000 };
  const found = async (filters: object) => (await keyword.search({ ...query, filters })).map((hit) => hit.articleId);
  expect(await found({ source_tier: 1, lang: "en", source: "test-source", domain: "example" })).toContain(id);
  expect(await found({ source_tier: 2 })).not.toContain(id);
  expect(await found({ from: Date.parse("2024-05-06T07:08:09Z"), to: Date.parse("2024-05-06T07:08:09Z") })).toContain(
    id,
  );
});

test("an article that is still on its way is left alone", async () => {
  const [id = 0] = await admitItems(store, [testItem()]);
  const [document] = ghosts(1);
  if (document) await keyword.upsert([{ ...document, articleId: id }]);
  await reconcile();
  expect(await keyword.missing([id])).toEqual([]);
});

test("an article that was given up leaves the index", async () => {
  const [id = 0] = await admitItems(store, [testItem()]);
  const [document] = ghosts(1);
  if (document) await keyword.upsert([{ ...document, articleId: id }]);
  await store.articles.markFailed(id, "no");
  await reconcile();
  expect(await keyword.missing([id])).toEqual([id]);
});

test("an article that is deleted while its document is written does not stay in the index", async () => {
  const [id = 0] = await indexedArticles(store, 1);
  const late = {
    upsert: async (docs: Parameters<typeof keyword.upsert>[0]) => {
      await store.articles.remove(id);
      await keyword.upsert(docs);
    },
    remove: keyword.remove,
  };
  expect(await keywordWriter({ store, keyword: late }).sync([id])).toEqual({ written: 0, removed: 0 });
  expect(await keyword.missing([id])).toEqual([id]);
});

test("cut short, it stops with the reason, and the next run does the rest", async () => {
  const ids = await indexedArticles(store, 20);
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error("enough"));
  expect(await failure(reconcile({ window: 5, signal: stop.signal, onProgress }))).toContain("enough");
  expect((await keyword.status()).complete).toBe(false);
  await reconcile({ window: 5 });
  expect(await keyword.missing(ids)).toEqual([]);
});

test("a rebuild writes every document anew while searches go on, and takes out what is too much", async () => {
  const ids = await indexedArticles(store, 5);
  const [id = 0] = ids;
  const [document] = ghosts(1);
  await reconcile();
  if (document) await keyword.upsert([{ ...document, articleId: id }]);
  await keyword.upsert(ghosts(2));
  const done = await rebuildKeyword({ store, keyword });
  expect(done.added).toBeGreaterThanOrEqual(5);
  expect(done.removed).toBe(2);
  const hits = await keyword.search({ text: "ghost document", limit: 100 });
  expect(hits).toEqual([]);
});
