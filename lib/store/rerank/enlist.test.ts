import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles, testStage, testStore } from "../testing.ts";

setDefaultTimeout(60_000);

const { store, sql, close } = await testStore();
afterAll(close);

beforeEach(async () => {
  await sql`delete from articles`;
  await sql`delete from work`;
});

const stage = testStage(store, "rerank");

const modelId = "reader@1";
const everything = { afterId: 0, limit: 1_000, modelId };

/** Articles that were indexed while none was read, in the order of their ids. */
const unread = async (count: number) => (await indexedArticles(store, count)).toSorted((a, b) => a - b);

/** Has this model read these articles. */
async function read(ids: readonly number[], model: string): Promise<void> {
  const batch = ids.map((articleId) => ({ articleId, vectors: [Int8Array.of(1)] }));
  await store.rerank.put(batch, { modelId: model });
}

const waiting = async () =>
  (await sql<{ id: number }[]>`select article_id as id from work where stage = 'rerank' order by 1`).map(
    ({ id }) => id,
  );

test("articles that no model read, or another one, are put on the list, once; those of the model in use are not", async () => {
  const never = await unread(2);
  const old = await unread(1);
  const current = await unread(2);
  await read(old, "reader@0");
  await read(current, modelId);
  expect(await store.rerank.enlist(everything)).toEqual({ lastId: current[1], enlisted: 3 });
  expect(await waiting()).toEqual([...never, ...old]);
  expect(await store.rerank.enlist(everything)).toMatchObject({ enlisted: 0 });
  // they are served until they are read again, to who asks for that model
  expect((await store.rerank.vectorsOf(old, { modelId: "reader@0" })).size).toBe(1);
});

test("a stretch ends at its limit, and behind the last article there is none", async () => {
  const ids = await unread(5);
  expect(await store.rerank.enlist({ ...everything, limit: 2 })).toEqual({ lastId: ids[1], enlisted: 2 });
  expect(await store.rerank.enlist({ ...everything, afterId: ids[3] ?? 0 })).toEqual({ lastId: ids[4], enlisted: 1 });
  expect(await store.rerank.enlist({ ...everything, afterId: ids[4] ?? 0 })).toEqual({
    ...{ lastId: undefined, enlisted: 0 },
  });
});

test("what is in flight stays held, what was set aside stays so, and what is not indexed is passed over", async () => {
  const [held = 0, , failed = 0] = await unread(3);
  await store.rerank.enlist({ ...everything, limit: 2 });
  await sql`update work set set_aside_at = now() where stage = 'rerank'`;
  await sql`update work set set_aside_at = null, lease_owner = 'o', lease_until = now() + interval '1 minute'
    where article_id = ${held} and stage = 'rerank'`;
  await sql`update articles set state = 'failed' where article_id = ${failed}`;
  expect(await store.rerank.enlist(everything)).toEqual({ lastId: failed, enlisted: 0 });
  expect(await stage.claim({ owner: "p", leaseS: 60, limit: 5 })).toEqual([]);
  expect(await stage.backlog()).toEqual({ waiting: 1, setAside: 1 });
});

test("enlisting twice, reading and deleting at the same time end well, and no article is left out", async () => {
  const ids = await unread(40);
  await read(ids.slice(0, 20), "reader@0");
  const gone = ids.filter((_, i) => i % 4 === 0);
  const stays = ids.filter((_, i) => i % 4 !== 0);
  await Promise.all([
    store.rerank.enlist(everything),
    store.rerank.enlist(everything),
    ...gone.map((id) => store.articles.remove(id)),
  ]);
  expect(await waiting()).toEqual(stays);
});
