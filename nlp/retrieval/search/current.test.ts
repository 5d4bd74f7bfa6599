import { afterAll, expect, test } from "bun:test";
import { loadConfig } from "@isnad/lib/service/config";
import { SearchParams } from "@isnad/lib/contract";
import { NOT_LOADED } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { createDocuments } from "../documents.ts";
import { testKeys } from "../testing.ts";
import { type SearchDeps, search } from "./search.ts";
import { FirstPages } from "./walk.ts";

const { store, sql, close } = await testStore();
afterAll(close);

const filler = "The council met on the first floor and nobody raised a hand. ".repeat(4);
const ids = await admitItems(
  store,
  Array.from({ length: 12 }, (_, i) => testItem({ title: `Harbour 0 of ${i}`, content: `Boats of ${i}. ${filler}` })),
);

const keys = await testKeys(store, ids);

/** Searches that find every article, in the order of their ids. */
const deps: SearchDeps = {
  store,
  followers: [],
  config: loadConfig({}),
  reranker: NOT_LOADED,
  taxonomyVersion: "test.1",
  branches: {
    keyword: async () => ({ hits: keys.map((articleId) => ({ articleId, score: 1 })), corrections: [] }),
    vector: async () => {
      await Bun.sleep(1);
      return { hits: [], candidates: 0 };
    },
  },
  documents: createDocuments(store.articles),
  keyword: {
    search: async () => ({ hits: [], corrections: [] }),
    allowed: async (_query, ids) => [...ids],
    status: async () => ({ state: "ready", documents: keys.length, complete: true }),
    reading: async ({ text }) => ({ text, translation: "" }),
    supports: async () => [],
    suggest: async () => ({ titles: [], words: [] }),
    survey: () => Promise.reject(new Error("nothing is counted")),
  },
  firstPages: new FirstPages(),
};
const found = async (mode: "bm25" | "hybrid") => {
  const { body } = await search(deps, SearchParams.parse({ q: "harbour boats", mode }));
  return body.results.map(({ article_id, title, highlights }) => ({ article_id, title, marked: highlights.title }));
};

// In hybrid mode the page is read while the vector branch still searches.
test.each(["bm25", "hybrid"] as const)(
  "while searches run, one that begins after a change shows it, in its highlights too, and nothing that is gone (%s)",
  async (mode) => {
    const order = (await found(mode)).map(({ article_id }) => article_id);
    let ended = false;
    let searches = 0;
    const others = Array.from({ length: 3 }, async () => {
      while (!ended) searches += (await found(mode)).length > 0 ? 1 : 0;
    });
    const first = at(order, 0);
    for (let turn = 1; turn <= 15; turn++) {
      await sql`update articles set title = ${`Harbour ${turn}`} where article_id = ${first}`;
      expect((await found(mode)).find(({ article_id }) => article_id === first)).toEqual({
        article_id: first,
        title: `Harbour ${turn}`,
        marked: [`<mark>Harbour</mark> ${turn}`],
      });
    }
    const before = await found(mode);
    await store.articles.remove(first);
    const after = await found(mode);
    expect(after).toHaveLength(10);
    expect(after.slice(0, 9)).toEqual(before.slice(1));
    ended = true;
    await Promise.all(others);
    expect(searches).toBeGreaterThan(0);
  },
);
