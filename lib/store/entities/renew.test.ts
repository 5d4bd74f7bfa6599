import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles, queueWork, testStage, testStore } from "../testing.ts";

setDefaultTimeout(60_000);

const { store, sql, close } = await testStore();
afterAll(close);

beforeEach(async () => {
  await sql`delete from articles`;
  await sql`delete from work`;
});

const stage = testStage(store, "entities");

/** Articles whose entities this model found; undefined: before that was kept. */
async function foundBy(count: number, modelId: string | undefined): Promise<number[]> {
  const ids = await indexedArticles(store, count);
  const batch = ids.map((articleId) => ({ articleId, entities: [] }));
  await store.entities.put(batch, { modelId: modelId ?? "forgotten@0" });
  if (modelId === undefined) await sql`delete from entity_finds where article_id = any(${ids}::bigint[])`;
  return ids.sort((a, b) => a - b);
}

const waiting = async () =>
  (await sql<{ id: number }[]>`select article_id as id from work where stage = 'entities' order by 1`).map(
    ({ id }) => id,
  );

const everything = { afterId: 0, limit: 1_000 };

test("articles are counted by the model that found their entities; those that wait are not", async () => {
  await foundBy(3, "tagger@1");
  await foundBy(2, "tagger@2");
  await foundBy(1, undefined);
  await queueWork(sql, "entities", await indexedArticles(store, 4));
  expect([...(await store.entities.countByModel())]).toEqual([
    { modelId: "tagger@1", articles: 3 },
    { modelId: "tagger@2", articles: 2 },
    { modelId: null, articles: 1 },
  ]);
});

test("what is found again counts for the model that found it last", async () => {
  const [articleId = 0] = await foundBy(1, "tagger@1");
  await store.entities.put([{ articleId, entities: [] }], { modelId: "tagger@2" });
  expect([...(await store.entities.countByModel())]).toEqual([{ modelId: "tagger@2", articles: 1 }]);
});

test("only articles of the named models are put back to work, those of an unknown one when null is named", async () => {
  const old = await foundBy(2, "tagger@1");
  const unknown = await foundBy(1, undefined);
  await foundBy(2, "tagger@2");
  expect(await store.entities.renew({ ...everything, modelIds: ["tagger@1"] })).toMatchObject({ renewed: 2 });
  expect(await waiting()).toEqual(old);
  expect(await store.entities.renew({ ...everything, modelIds: ["tagger@1", null] })).toMatchObject({ renewed: 1 });
  expect(await waiting()).toEqual([...old, ...unknown]);
});

test("a stretch ends at its limit, whether or not anything in it was put back, and behind the last there is none", async () => {
  const ids = await foundBy(5, "tagger@1");
  const stretch = { limit: 2, modelIds: ["tagger@1"] };
  expect(await store.entities.renew({ ...stretch, afterId: 0 })).toEqual({ lastId: ids[1], renewed: 2 });
  expect(await store.entities.renew({ ...stretch, afterId: 0 })).toEqual({ lastId: ids[1], renewed: 0 });
  expect(await store.entities.renew({ ...stretch, afterId: ids[3] ?? 0 })).toEqual({ lastId: ids[4], renewed: 1 });
  expect(await store.entities.renew({ ...stretch, afterId: ids[4] ?? 0 })).toEqual({ lastId: undefined, renewed: 0 });
});

test("an article in flight stays leased; one that was set aside is tried afresh", async () => {
  const [leased = 0, givenUp = 0] = await foundBy(2, "tagger@1");
  await sql`insert into work (article_id, stage, attempts, lease_owner, lease_until, set_aside_at) values
    (${leased}, 'entities', 5, 'o', now() + interval '1 minute', null), (${givenUp}, 'entities', 5, null, null, now())`;
  expect(await stage.backlog()).toEqual({ waiting: 1, setAside: 1 });
  expect(await store.entities.renew({ ...everything, modelIds: ["tagger@1"] })).toMatchObject({ renewed: 1 });
  expect(await stage.backlog()).toEqual({ waiting: 2, setAside: 0 });
  expect(await stage.claim({ owner: "o", limit: 5, leaseS: 60 })).toMatchObject([{ articleId: givenUp, attempts: 1 }]);
});

test("articles that are not indexed are passed over", async () => {
  await foundBy(1, undefined);
  await sql`update articles set state = 'failed'`;
  expect(await store.entities.renew({ ...everything, modelIds: [null] })).toMatchObject({ renewed: 0 });
});

test("renewing, writing and deleting at the same time end well, and no article is left out or found twice", async () => {
  const ids = await foundBy(40, "tagger@1");
  const gone = ids.filter((_, i) => i % 4 === 0);
  const stays = ids.filter((_, i) => i % 4 !== 0);
  await Promise.all([
    store.entities.renew({ ...everything, modelIds: ["tagger@1"] }),
    store.entities.renew({ ...everything, modelIds: ["tagger@1"] }),
    ...gone.map((id) => store.articles.remove(id)),
  ]);
  expect(await waiting()).toEqual(stays);
  expect(await sql`select 1 from entity_finds where article_id <> all(${stays}::bigint[])`).toHaveLength(0);
});
