import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { SearchInput } from "../../store/mod.ts";
import { admitItems, testItem, testStore } from "../../store/testing.ts";
import { followSearches, type WatchModel } from "./sink.ts";
import { until } from "../../std/testing-until.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
const logger = { info: () => {}, warn: () => {} };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
/** As after a follower before this one: the first of all begins where the log ends when it starts. */
beforeAll(() => store.searches.setPosition({ seq: 0, mark: "" }));
afterAll(close);

const MODEL_ID = "test@1";
const east = new Float32Array([1, 0, 0, 0]);
const north = new Float32Array([0, 1, 0, 0]);

/** A model for which all that speaks of the sea lies in the east, all else in the north. */
function model(over: Partial<WatchModel> = {}): WatchModel & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    ...{ asked, modelId: MODEL_ID, dims: 4 },
    async vectorsOf(texts) {
      asked.push([...texts]);
      return { vectors: texts.map((text) => (text.includes("sea") ? east : north)), whole: true };
    },
    ...over,
  };
}

function follow(of: WatchModel | undefined) {
  const follower = followSearches({ store, logger, owner: crypto.randomUUID(), model: of, pollMs: 10 });
  stops.push(() => follower.close());
  return follower;
}

const keep = (query: SearchInput["query"], over: Partial<SearchInput> = {}) =>
  store.searches.create({
    ...{ name: "n", query: { match: "all", ...query }, minSimilarity: null, active: true, webhook: null },
    ...{ digest: "none", ofEntities: false, ofClaims: false },
    ...over,
  });

async function come(title: string, vectors: readonly Float32Array[], modelId: string | undefined = MODEL_ID) {
  const [id = 0] = await admitItems(store, [testItem({ title, content: `${title} ${crypto.randomUUID()}.` })]);
  await store.articles.markNormalized([{ articleId: id, lang: "en" }]);
  const chunks = vectors.map((vector, no) => ({ no, start: 0, end: 5, vector }));
  await store.indexing.commit([{ articleId: id, chunks }], { modelId });
  return id;
}

const matchesOf = async (searchId: number) => (await store.searches.matches(searchId, { limit: 10 })).toReversed();

test("an article near in meaning matches with its similarity, and the vector of a search is made once", async () => {
  const of = model();
  const near = await keep({ q: "the sea", mode: "vector" });
  const words = await keep({ q: "boats", mode: "hybrid" });
  const plain = await keep({ q: "boats", mode: "bm25" });
  const strict = await keep({ q: "the sea", mode: "vector" }, { minSimilarity: 0.95 });
  const follower = follow(of);
  const id = await come("Boats", [north, new Float32Array([0.8, 0, 0.6, 0])]);
  await until(async () => (await matchesOf(words.searchId)).length === 1);
  expect(await matchesOf(near.searchId)).toMatchObject([{ articleId: id, similarity: expect.closeTo(0.8, 2) }]);
  expect(await matchesOf(words.searchId)).toMatchObject([{ articleId: id, similarity: 1 }]);
  expect(await matchesOf(plain.searchId)).toMatchObject([{ articleId: id, similarity: null }]);
  expect(await matchesOf(strict.searchId)).toEqual([]);
  await follower.close();
  follow(of);
  const later = await come("Ships", [east]);
  await until(async () => (await matchesOf(strict.searchId)).length === 1);
  expect((await matchesOf(near.searchId)).map(({ articleId }) => articleId)).toEqual([id, later]);
  expect(of.asked).toEqual([["the sea", "boats", "the sea"]]);
  for (const { searchId } of [near, words, plain, strict]) await store.searches.remove(searchId);
});

test("vectors are made again for another query, and while the search service is away they are made as they can", async () => {
  let whole = false;
  const of = model({ vectorsOf: async (texts) => ({ vectors: texts.map(() => (whole ? east : north)), whole }) });
  const { searchId } = await keep({ q: "the sea", mode: "vector" });
  const first = follow(of);
  const id = await come("Boats", [north]);
  await until(async () => (await matchesOf(searchId)).length === 1);
  await first.close();
  whole = true;
  const second = follow(of);
  const later = await come("Ships", [east]);
  await until(async () => (await matchesOf(searchId)).length === 2);
  expect((await matchesOf(searchId)).map(({ articleId }) => articleId)).toEqual([id, later]);
  const [stored] = await store.searches.vectors(MODEL_ID);
  expect(stored).toMatchObject({ searchId, whole: true, vector: east });
  // One that follows would make the vector of the new query before it is looked for.
  await second.close();
  await store.searches.update(searchId, { query: { q: "another", mode: "vector", match: "all" } });
  expect(await store.searches.vectors(MODEL_ID)).toEqual([]);
  await store.searches.remove(searchId);
});

test("an article that gets its passages later matches by meaning then", async () => {
  const { searchId } = await keep({ q: "the sea", mode: "vector" });
  const marker = await keep({ mode: "bm25" });
  follow(model());
  const id = await come("Boats", [], undefined);
  await until(async () => (await matchesOf(marker.searchId)).length === 1);
  expect(await matchesOf(searchId)).toEqual([]);
  const chunks = [{ no: 0, start: 0, end: 5, vector: east }];
  await store.indexing.commit([{ articleId: id, chunks }], { modelId: MODEL_ID });
  await until(async () => (await matchesOf(searchId)).length === 1);
  expect(await matchesOf(marker.searchId)).toHaveLength(1);
  for (const each of [searchId, marker.searchId]) await store.searches.remove(each);
});

test("a search for an entity matches once the entities of an article are known", async () => {
  const named = await keep({ entity: "Tyre", mode: "bm25" }, { ofEntities: true });
  const inQuery = await keep({ q: "boats entity:tyre", mode: "bm25" }, { ofEntities: true });
  const other = await keep({ q: "boats", mode: "bm25" });
  follow(undefined);
  const id = await come("Boats", []);
  await until(async () => (await matchesOf(other.searchId)).length === 1);
  expect(await matchesOf(named.searchId)).toEqual([]);
  const found = { name: "Tyre", key: "tyre", kind: "place", type: "LOC", confidence: 1, spans: [0, 4], aliases: [] };
  const entity = { ...found, mentions: 1 };
  await store.entities.put([{ articleId: id, entities: [entity] }], { modelId: "tagger@1" });
  await until(
    async () => (await matchesOf(named.searchId)).length === 1 && (await matchesOf(inQuery.searchId)).length === 1,
  );
  await until(async () => (await sql`select from search_rechecks`).length === 0);
  expect(await matchesOf(other.searchId)).toHaveLength(1);
});

test("a search for refuted claims matches once an article is known to make one", async () => {
  const refuted = await keep({ q: "boats", claims: "refuted", mode: "bm25" }, { ofClaims: true });
  const other = await keep({ q: "boats", mode: "bm25" });
  follow(undefined);
  const ids = [await come("Boats", []), await come("Boats again", [])];
  await until(async () => (await matchesOf(other.searchId)).length === 2);
  await sql`insert into search_rechecks (article_id, refuted) values (${ids[0] ?? 0}, false), (${ids[1] ?? 0}, true)`;
  await until(async () => (await sql`select from search_rechecks`).length === 0);
  expect(await matchesOf(refuted.searchId)).toMatchObject([{ articleId: ids[1], similarity: null }]);
  expect(await matchesOf(other.searchId)).toHaveLength(2);
});
