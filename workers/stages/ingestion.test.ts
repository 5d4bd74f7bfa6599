import { afterAll, expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem, testStage } from "@isnad/lib/store/testing";
import { runStage } from "../testing/run-stage.ts";
import { articleTexts } from "../texts.ts";
import { ingestion } from "./ingestion.ts";

const database = await testDatabase();
const store = openStore(database.url);
const taxonomy = loadTaxonomy();
const stage = testStage(store, "ingestion");

afterAll(async () => {
  await store.close();
  await database.drop();
});

const run = (articleIds: number[], over: Partial<Parameters<typeof ingestion>[0]> = {}) =>
  runStage(ingestion({ store, taxonomy, texts: articleTexts(store), ...over }), articleIds);

const FRENCH = `Le ministère a annoncé que la vieille ligne de bac resterait ouverte pendant tout l'hiver après une longue
réunion avec les propriétaires des bateaux, et que le premier départ aurait lieu avant le lever du soleil.`;

test("accepted articles become normalized, and with it their stage ends and the next is queued", async () => {
  const ids = await admitItems(store, [testItem(), testItem({ lang: null })]);
  expect(await stage.claim({ owner: "test", limit: 9, leaseS: 60 })).toHaveLength(2);
  const { counts, failures } = await run(ids);
  expect(counts).toMatchObject({ taken: 2, normalized: 2, refused: 0 });
  expect(failures).toEqual([]);
  expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
});

test("a second run finds nothing to do", async () => {
  const ids = await admitItems(store, [testItem()]);
  await run(ids);
  expect((await run(ids)).counts).toMatchObject({ taken: 0, normalized: 0 });
});

test("an article in another language is given up, its neighbours go on", async () => {
  const ids = await admitItems(store, [testItem({ lang: null, title: "Le bac", content: FRENCH }), testItem()]);
  const { counts } = await run(ids);
  expect(counts).toMatchObject({ taken: 2, normalized: 1, refused: 1 });
  expect((await store.articles.get(ids[1] ?? 0))?.state).toBe("normalized");
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
  const { counts, failures } = await run(ids, { taxonomy: fragile });
  expect(counts).toMatchObject({ normalized: 1 });
  expect(failures.map(({ articleId }) => articleId)).toEqual(ids.slice(0, 1));
});
