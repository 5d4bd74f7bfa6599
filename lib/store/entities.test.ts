import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import type { FoundEntity } from "./entities.ts";
import type { NewRelation } from "./relations.ts";
import { admitItems, queueWork, testItem, testStage, testStore } from "./testing.ts";

describe("link", async () => {
  setDefaultTimeout(300_000);

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
    const text = await readFile(new URL("./migrations/0050_relation_arguments.sql", import.meta.url), "utf8");
    await sql.begin((tx) => tx.unsafe(text).simple());
    expect((await store.articles.get(own))?.entities.map(({ name, type }) => [name, type])).toEqual([["Taiz", "LOC"]]);
    expect(await linksOf(own)).toEqual([{ place: "Taiz" }]);
    expect(await linksOf(reported)).toEqual([{ agent: "The statement", place: "Taiz" }]);
  });
});

describe("count", async () => {
  setDefaultTimeout(300_000);

  const { store, sql, close } = await testStore();
  afterAll(close);

  const stage = testStage(store, "entities");
  const model = { modelId: "tagger@1", step: stage.step("o") };
  const vector = Float32Array.of(1, 0);

  /** Articles that are indexed just now, with none waiting from before. */
  async function indexed(count: number): Promise<number[]> {
    await sql`delete from work`;
    const ids = await admitItems(
      store,
      Array.from({ length: count }, () => testItem()),
    );
    await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
    const batch = ids.map((articleId) => ({ articleId, chunks: [{ no: 0, start: 0, end: 5, vector }] }));
    await store.indexing.commit(batch, { modelId: "model@1" });
    await sql`delete from work`;
    await queueWork(sql, "entities", ids);
    return ids;
  }

  const found = (name: string, over: Partial<FoundEntity> = {}): FoundEntity => ({
    name,
    key: name.toLowerCase(),
    type: "LOC",
    mentions: 1,
    confidence: 0.5,
    spans: [],
    ...over,
  });

  const entitiesOf = async (id: number) =>
    ((await store.articles.get(id))?.entities ?? []).map(({ entityId: _, ...rest }) => rest);

  test("entities are stored with their places; a name known by its key is the same entity in every article", async () => {
    const [a = 0, b = 0] = await indexed(2);
    const cairo = found("Cairo", { mentions: 2, spans: [0, 5, 20, 25] });
    await stage.claim({ owner: "o", limit: 2, leaseS: 60 });
    const done = await store.entities.put(
      [
        { articleId: a, entities: [cairo, found("Nile", { type: "LOC" })] },
        { articleId: b, entities: [found("CAIRO", { type: "ORG", confidence: 0.25 })] },
      ],
      model,
    );
    expect(done).toEqual([a, b].sort((x, y) => x - y));
    expect(await entitiesOf(a)).toEqual([
      { name: "Cairo", type: "LOC", mentions: 2, confidence: 0.5, spans: [0, 5, 20, 25] },
      { name: "Nile", type: "LOC", mentions: 1, confidence: 0.5, spans: [] },
    ]);
    const [first, second] = await Promise.all([a, b].map((id) => store.articles.get(id)));
    expect(second?.entities[0]?.entityId).toBe(first?.entities[0]?.entityId ?? -1);
    expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
  });

  test("doing it again replaces what was found before, and leaves what came with relations", async () => {
    const [id = 0] = await indexed(1);
    const [related] = await sql<{ id: number }[]>`
    insert into entities (name, name_key) values ('Rome', 'rome') returning entity_id as id`;
    await sql`insert into article_entities (article_id, entity_id, type, mentions) values (${id}, ${related?.id ?? 0}, 'GPE', 9)`;
    await store.entities.put([{ articleId: id, entities: [found("Oslo"), found("Bern")] }], model);
    const once = await entitiesOf(id);
    await store.entities.put([{ articleId: id, entities: [found("Oslo"), found("Bern")] }], model);
    expect(await entitiesOf(id)).toEqual(once);
    await store.entities.put([{ articleId: id, entities: [] }], model);
    expect(await entitiesOf(id)).toMatchObject([{ name: "Rome", type: "GPE", mentions: 9 }]);
  });

  test("an article deleted meanwhile is left out, and its work is gone with it", async () => {
    const [gone = 0, stays = 0] = await indexed(2);
    await stage.claim({ owner: "o", limit: 2, leaseS: 60 });
    await store.articles.remove(gone);
    const batch = [gone, stays].map((articleId) => ({ articleId, entities: [found("Lima")] }));
    expect(await store.entities.put(batch, model)).toEqual([stays]);
    expect(await sql`select 1 from work`).toHaveLength(0);
  });

  test("many writers with the same names neither block each other for ever nor make a name twice", async () => {
    const ids = await indexed(12);
    const names = Array.from({ length: 30 }, (_, i) => `Place ${i}`);
    await Promise.all(
      ids.map((articleId, i) => {
        const order = i % 2 === 0 ? names : names.toReversed();
        return store.entities.put([{ articleId, entities: order.map((name) => found(name)) }], model);
      }),
    );
    expect(await sql`select 1 from entities where name like 'Place %'`).toHaveLength(30);
    expect(await Promise.all(ids.map(async (id) => (await entitiesOf(id)).length))).toEqual(ids.map(() => 30));
  });

  test("names with what Postgres cannot store are stored without it", async () => {
    const [id = 0] = await indexed(1);
    await store.entities.put([{ articleId: id, entities: [found("Tu\u0000nis", { key: "tu\u0000nis" })] }], model);
    expect(await entitiesOf(id)).toMatchObject([{ name: "Tunis" }]);
  });

  test("articles that never had entities come before those put back to work for another model, the newest of each first", async () => {
    const [old = 0, given = 0] = await indexed(2);
    const batch = [old, given].map((articleId) => ({ articleId, entities: [] }));
    await stage.claim({ owner: "o", limit: 2, leaseS: 60 });
    await store.entities.put(batch, model);
    await store.entities.renew({ afterId: Math.min(old, given) - 1, limit: 2, modelIds: [model.modelId] });
    const [fresh = 0] = await admitItems(store, [testItem()]);
    await store.articles.markNormalized([{ articleId: fresh, lang: "en" }]);
    await queueWork(sql, "entities", [fresh]);
    const order = [];
    for (let i = 0; i < 3; i++) order.push(...(await stage.claim({ owner: "o", limit: 1, leaseS: 60 })));
    expect(order.map(({ articleId }) => articleId)).toEqual([fresh, ...[old, given].sort((a, b) => b - a)]);
  });

  test("a name that is longer than any that can be asked for costs the article nothing but itself", async () => {
    const [id = 0] = await indexed(1);
    // Of random letters: what repeats itself is short enough for an index.
    const endless = Array.from({ length: 6_000 }, () => Math.floor(Math.random() * 36).toString(36)).join("");
    const entities = [found(endless), found("Cairo", { aliases: [endless] })];
    expect(await store.entities.put([{ articleId: id, entities }], model)).toEqual([id]);
    expect(await entitiesOf(id)).toMatchObject([{ name: "Cairo" }]);
  });
});
