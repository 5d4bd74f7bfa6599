import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { articleTexts, isAway } from "./run.ts";

const coded = (code: string) => Object.assign(new Error(code), { code });

test("a lost database and a full disk are nobody's fault", () => {
  expect(["CONNECTION_CLOSED", "57P01", "53100", "ENOSPC", "EROFS"].filter((code) => !isAway(coded(code)))).toEqual([]);
  expect(isAway(coded("22P02"))).toBe(false);
  expect(isAway(new Error("odd text"))).toBe(false);
  expect(isAway("text")).toBe(false);
});

setDefaultTimeout(300_000);

const { store, close } = await testStore();
afterAll(close);

/** The store, and the ids whose texts were read from it. */
function watched() {
  const read: number[] = [];
  const byIds: typeof store.articles.byIds = (ids, fields) => {
    read.push(...ids);
    return store.articles.byIds(ids, fields);
  };
  return { read, watchedStore: { articles: { ...store.articles, byIds } } };
}

test("the text of an article is read once, in the order asked for", async () => {
  const { read, watchedStore } = watched();
  const texts = articleTexts(watchedStore);
  const [a = 0, b = 0] = await admitItems(store, [testItem({ title: "First" }), testItem({ title: "Second" })]);
  expect((await texts.of([b])).map(({ title }) => title)).toEqual(["Second"]);
  expect((await texts.of([a, b])).map(({ title }) => title)).toEqual(["First", "Second"]);
  expect(await texts.of([b, a])).toHaveLength(2);
  expect(read).toEqual([b, a]);
});

test("what was read with other fields need not be read again", async () => {
  const { read, watchedStore } = watched();
  const texts = articleTexts(watchedStore);
  const [id = 0] = await admitItems(store, [testItem({ title: "Kept" })]);
  texts.keep(await store.articles.inState([id], "accepted", ["articleId", "title", "content", "lang"]));
  const [text] = await texts.of([id]);
  expect(text).toEqual({ articleId: id, title: "Kept", content: expect.stringContaining("harbour") });
  expect(read).toEqual([]);
});

test("an id without an article is left out, and there is room for so much text only", async () => {
  const { read, watchedStore } = watched();
  const texts = articleTexts(watchedStore, { maxUnits: 10 });
  const [id = 0] = await admitItems(store, [testItem()]);
  for (let n = 0; n < 2; n++) expect(await texts.of([id, 9_000_000])).toMatchObject([{ articleId: id }]);
  expect(read).toEqual([id, 9_000_000, id, 9_000_000]);
});
