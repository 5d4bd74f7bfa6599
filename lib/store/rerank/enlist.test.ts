import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles, testStore } from "../testing.ts";

setDefaultTimeout(60_000);

const { store, sql, close } = await testStore();
afterAll(close);

beforeEach(async () => void (await sql`delete from articles`));

const modelId = "reader@1";
const everything = { afterId: 0, limit: 1_000, modelId };

/** Articles that were indexed while none was read, in the order of their ids. */
const unread = async (count: number) => (await indexedArticles(store, count)).toSorted((a, b) => a - b);

/** Has this model read these articles. */
async function read(ids: readonly number[], model: string): Promise<void> {
  await sql`insert into rerank_work (article_id, lease_owner) select id, 'o' from unnest(${[...ids]}::bigint[]) as id`;
  const batch = ids.map((articleId) => ({ articleId, vectors: [Int8Array.of(1)] }));
  await store.rerank.put("o", batch, { modelId: model });
}

const waiting = async () =>
  (await sql<{ id: number }[]>`select article_id as id from rerank_work order by 1`).map(({ id }) => id);

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

test("what is in work stays held, what this model gave up stays so, and what is not indexed is passed over", async () => {
  const [held = 0, , failed = 0] = await unread(3);
  await store.rerank.enlist({ ...everything, limit: 2 });
  await sql`update rerank_work set attempts = 5`;
  await sql`update rerank_work set lease_owner = 'o', lease_until = now() + interval '1 minute' where article_id = ${held}`;
  await sql`update articles set state = 'failed' where article_id = ${failed}`;
  expect(await store.rerank.enlist(everything)).toEqual({ lastId: failed, enlisted: 0 });
  expect(await store.rerank.claim({ owner: "p", leaseS: 60, limit: 5 })).toEqual([]);
  expect(await store.rerank.backlog()).toEqual({ waiting: 1, givenUp: 1 });
});

test("what was given up is tried afresh with another model, once, and so is what was before that was kept", async () => {
  const [old = 0, before = 0, held = 0] = await unread(3);
  await store.rerank.enlist({ ...everything, limit: 1, modelId: "reader@0" });
  await sql`insert into rerank_work (article_id) values (${before}), (${held})`;
  await sql`update rerank_work set attempts = 5, due_at = now() + interval '1 hour'`;
  await sql`update rerank_work set lease_owner = 'o', lease_until = now() + interval '1 minute' where article_id = ${held}`;
  expect(await store.rerank.enlist({ ...everything, modelId: "reader@0" })).toMatchObject({ enlisted: 1 });
  await sql`update rerank_work set attempts = 5`;
  expect(await store.rerank.enlist(everything)).toMatchObject({ enlisted: 2 });
  expect(await store.rerank.enlist(everything)).toMatchObject({ enlisted: 0 });
  expect(await store.rerank.claim({ owner: "p", leaseS: 60, limit: 5 })).toEqual([
    { articleId: old, attempts: 1 },
    { articleId: before, attempts: 1 },
  ]);
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
