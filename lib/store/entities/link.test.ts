import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import type { NewRelation } from "../relations/types.ts";
import { admitItems, testItem, testStore } from "../testing.ts";
import type { FoundEntity } from "./types.ts";

setDefaultTimeout(60_000);

const { store, sql, close } = await testStore();
afterAll(close);

const model = { modelId: "tagger@1" };

const found = (name: string, over: Partial<FoundEntity> = {}): FoundEntity => ({
  ...{ name, key: name.toLowerCase(), type: "LOC", mentions: 1, confidence: 0.5, spans: [] },
  ...over,
});

const admitted = async () => (await admitItems(store, [testItem()]))[0] ?? 0;
const relation = (over: Partial<NewRelation>): NewRelation => ({
  ...{ type: "meeting", args: {}, confidence: 0.5, start: 0, end: 9, entities: {} },
  ...over,
});
const report = (relations: NewRelation[]) => ({ package: {}, requestId: "r", relations, replace: true });
const linksOf = async (id: number) => {
  const article = await store.articles.get(id);
  const names = new Map(article?.entities.map(({ entityId, name }) => [entityId, name]));
  return article?.relations.map(({ meta }) =>
    Object.fromEntries(Object.entries(Object(meta.entities)).map(([role, to]) => [role, names.get(Number(to))])),
  );
};

const spans = { agent: [0, 20], target: [30, 40], time: [50, 60] } as const;
const tagged = [
  found("Sanaa", { spans: [2, 7] }),
  found("Sanaa Airport", { spans: [2, 15] }),
  found("Aden", { spans: [38, 42] }),
  found("Monday", { type: "DATE", spans: [50, 56] }),
];

test("an argument is linked to the longest name that the tagger found in it, whichever of them is stored first", async () => {
  const [before, after] = [await admitted(), await admitted()];
  await store.relations.put(before, report([relation({ spans })]));
  expect(await linksOf(before)).toEqual([{}]);
  await store.entities.put([{ articleId: before, entities: tagged }], model);
  await store.entities.put([{ articleId: after, entities: tagged }], model);
  const outcome = await store.relations.put(after, report([relation({ spans }), relation({})]));
  expect(outcome).toMatchObject({ stored: 2, entities: 1 });
  // Aden only overlaps, and a day is nobody.
  expect(await linksOf(before)).toEqual([{ agent: "Sanaa Airport" }]);
  expect(await linksOf(after)).toEqual([{ agent: "Sanaa Airport" }, {}]);
  expect((await store.articles.get(after))?.entities.filter(({ type }) => type === "")).toEqual([]);
});

test("what another model finds links anew; what an external worker names stays an entity", async () => {
  const id = await admitted();
  const named = relation({ entities: { agent: { name: "Hadramawt", key: "hadramawt" } } });
  await store.relations.put(id, report([relation({ spans }), named]));
  await store.entities.put([{ articleId: id, entities: tagged }], model);
  await store.entities.put([{ articleId: id, entities: [found("Mukalla", { spans: [31, 38] })] }], model);
  expect(await linksOf(id)).toEqual([{ target: "Mukalla" }, { agent: "Hadramawt" }]);
});

test("an entity is called what most articles call it, in counts of any articles", async () => {
  const city = { key: "city", kind: "place" };
  const names = ["The Old Occupied City", "City", "City"];
  const ids = await admitItems(
    store,
    names.map(() => testItem()),
  );
  for (const [i, name] of names.entries()) {
    const articleId = ids[i] ?? 0;
    await store.entities.put([{ articleId, entities: [found(name, { ...city, mentions: i === 0 ? 9 : 1 })] }], model);
  }
  expect(await store.entities.count({ key: "city", limit: 1 })).toMatchObject([{ name: "City", mentions: 11 }]);
});

test("the migration takes the platform's own arguments out of the entities, and leaves what others named", async () => {
  const [own, reported] = [await admitted(), await admitted()];
  const arguments_ = {
    agent: { name: "The statement", key: "the statement" },
    place: { name: "Taiz", key: "taiz" },
  };
  await store.entities.put([{ articleId: own, entities: [found("Taiz")] }], model);
  for (const [id, requestId, version] of [
    [own, `relations-${own}`, "re-1"],
    [reported, "outside", "lab-2"],
  ] as const) {
    await store.relations.put(id, {
      ...report([relation({ entities: arguments_ })]),
      requestId,
      package: { task_version: version },
    });
  }
  const text = await readFile(new URL("../migrations/0050_relation_arguments.sql", import.meta.url), "utf8");
  await sql.begin((tx) => tx.unsafe(text).simple());
  expect((await store.articles.get(own))?.entities.map(({ name, type }) => [name, type])).toEqual([["Taiz", "LOC"]]);
  expect(await linksOf(own)).toEqual([{ place: "Taiz" }]);
  expect(await linksOf(reported)).toEqual([{ agent: "The statement", place: "Taiz" }]);
});
