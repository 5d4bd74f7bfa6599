import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { EntityName } from "./entities.ts";
import { admitItems, testItem, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

const articles = await admitItems(store, [testItem(), testItem(), testItem(), testItem()]);

const named = (key: string, over: Partial<EntityName> = {}) => ({
  ...{ name: key, key, type: "X", mentions: 1, confidence: 0.5, spans: [0, 1] },
  ...over,
});

/** Stores the names as those of an article, and returns their numbers in it. */
async function put(article: number, ...names: EntityName[]): Promise<number[]> {
  const articleId = articles[article] ?? 0;
  await store.entities.put([{ articleId, entities: names.map((name) => named(name.key, name)) }], { modelId: "m@1" });
  const rows = await sql<{ id: number }[]>`
    select entity_id as id from article_entities where article_id = ${articleId} order by entity_id`;
  return rows.map(({ id }) => id);
}

const person = (key: string): EntityName => ({ key, name: key, kind: "person" });

test("a name in the other script is the same entity, in one batch, later, and when it is found again", async () => {
  const [merkel, ...none] = await put(0, person("انغيلا ميركل"), person("angela merkel"));
  expect(none).toEqual([]);
  expect(await put(1, person("angela merkel"))).toEqual([merkel ?? 0]);
  expect(await put(2, person("انجيلا ميركل"))).toEqual([merkel ?? 0]);
  const [count] = await sql<{ mentions: number; spans: number[] }[]>`
    select mentions, spans from article_entities where article_id = ${articles[0] ?? 0}`;
  expect(count).toEqual({ mentions: 2, spans: [0, 1, 0, 1] });
  expect(await put(0, person("angela merkel"), person("انغيلا ميركل"))).toEqual([merkel ?? 0]);
});

test("an article shows an entity under its own name for it, and lists of entities under the one that most use, of several the first", async () => {
  const europe = (name: string) => ({ key: name.toLowerCase(), name, kind: "place", aliases: ["اوروبا", "europe"] });
  const [id = 0] = await put(0, europe("أوروبا"));
  expect(await put(1, europe("Europe"))).toEqual([id]);
  const namesIn = async (article: number) =>
    (await store.articles.get(articles[article] ?? 0))?.entities.map(({ name }) => name);
  expect([await namesIn(0), await namesIn(1)]).toEqual([["أوروبا"], ["Europe"]]);
  expect(await store.entities.count({ key: "europe", limit: 1 })).toMatchObject([{ entityId: id, name: "أوروبا" }]);
});

test("a name of another kind that sounds the same is another entity", async () => {
  const [city] = await put(0, { key: "liverpool", name: "Liverpool", kind: "place" });
  const [club] = await put(1, { key: "ليفربول", name: "ليفربول", kind: "organisation" });
  expect(club).not.toBe(city ?? 0);
});

test("all aliases lead to one entity, and the search by name knows them", async () => {
  const hamas = { key: "حماس", name: "حماس", kind: "organisation", aliases: ["حركه حماس", "hamas"] };
  const [id] = await put(0, hamas);
  expect(await put(1, { key: "حركه حماس", name: "حركة حماس" })).toEqual([id ?? 0]);
  expect(await put(2, { key: "hamas", name: "Hamas" })).toEqual([id ?? 0]);
  expect(await store.entities.articlesNaming({ key: "hamas" }, { limit: 9 })).toHaveLength(3);
  expect(await store.entities.count({ key: "ama", limit: 9 })).toMatchObject([
    { entityId: id, name: "حماس", articles: 3 },
  ]);
});

test("an entity that was stored under one of its aliases before stays that entity", async () => {
  const [old] = await put(0, { key: "french republic", name: "French Republic" });
  expect(await put(1, { key: "فرنسا", name: "فرنسا", aliases: ["france", "french republic"] })).toEqual([old ?? 0]);
  expect(await put(2, { key: "france", name: "France" })).toEqual([old ?? 0]);
});

test("the names of the largest package that is taken become entities without holding up what else is to do", async () => {
  const names = Array.from({ length: 20_000 }, (_, i) => named(`many ${i}`, { aliases: [`also many ${i}`] }));
  const ids = await put(3, ...names, named("also many 7"));
  expect(ids).toHaveLength(20_000);
});

test("writers at the same time make one entity of a name's spellings", async () => {
  const spellings = ["فلاديمير بوتين", "vladimir putin", "فلاديمير بوتين", "vladimir putin"];
  const ids = await Promise.all(spellings.map((key, i) => put(i, person(key))));
  expect(new Set(ids.flat()).size).toBe(1);
});
