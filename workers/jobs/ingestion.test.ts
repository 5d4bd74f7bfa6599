import { afterAll, beforeEach, expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import type { NewJob } from "@isnad/lib/work/queue";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { articleTexts } from "../texts.ts";
import { ingest } from "./ingestion.ts";

const database = await testDatabase();
const store = openStore(database.url);
const taxonomy = loadTaxonomy();
const added: NewJob[] = [];
const queues = {
  add: async (_: string, jobs: readonly NewJob[]) => {
    added.push(...jobs);
  },
};

beforeEach(() => added.splice(0));

afterAll(async () => {
  await store.close();
  await database.drop();
});

const run = (articleIds: number[], over: Partial<Parameters<typeof ingest>[1]> = {}) =>
  ingest({ id: "r-9", data: { articleIds } }, { store, queues, taxonomy, texts: articleTexts(store), ...over });

const FRENCH = `Le ministère a annoncé que la vieille ligne de bac resterait ouverte pendant tout l'hiver après une longue
réunion avec les propriétaires des bateaux, et que le premier départ aurait lieu avant le lever du soleil.`;

test("accepted articles become normalized, and one job for their analysis is queued", async () => {
  const ids = await admitItems(store, [testItem(), testItem({ lang: null })]);
  const { counts, broken } = await run(ids);
  expect(counts).toMatchObject({ taken: 2, normalized: 2, refused: 0 });
  expect(broken).toEqual([]);
  expect(added).toEqual([{ id: "r-9", data: { articleIds: ids.toSorted((a, b) => a - b) } }]);
});

test("a second run finds nothing to do and queues nothing", async () => {
  const ids = await admitItems(store, [testItem()]);
  await run(ids);
  added.splice(0);
  expect((await run(ids)).counts).toMatchObject({ taken: 0, normalized: 0 });
  expect(added).toEqual([]);
});

test("an article in another language is given up, its neighbours go on", async () => {
  const ids = await admitItems(store, [testItem({ lang: null, title: "Le bac", content: FRENCH }), testItem()]);
  const { counts } = await run(ids);
  expect(counts).toMatchObject({ taken: 2, normalized: 1, refused: 1 });
  expect(added[0]?.data.articleIds).toEqual(ids.slice(1));
  expect(await store.articles.get(ids[0] ?? 0)).toMatchObject({ state: "failed", stateReason: "unsupported-language" });
});

test("an article whose label breaks the map is set apart", async () => {
  const ids = await admitItems(store, [testItem({ categoryLabel: "boom" }), testItem({ categoryLabel: "sport" })]);
  const fragile = {
    ...taxonomy,
    mapLabel: (provider: string, label: string) => {
      if (label === "boom") throw new Error("no such map");
      return taxonomy.mapLabel(provider, label);
    },
  };
  const { counts, broken } = await run(ids, { taxonomy: fragile });
  expect(counts).toMatchObject({ normalized: 1 });
  expect(broken.map(({ articleId }) => articleId)).toEqual(ids.slice(0, 1));
});
