import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, queueWork, testItem, testStage, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

beforeEach(async () => {
  await sql`delete from articles`;
  await sql`delete from work`;
});

const stage = testStage(store, "rerank");
const model = { modelId: "reader@1", step: stage.step("o") };
const lease = { owner: "o", limit: 100, leaseS: 60 };

/** Articles that have just become indexed. */
async function indexed(count: number, { rerankVectors = true } = {}): Promise<number[]> {
  const items = Array.from({ length: count }, () => testItem());
  const ids = (await admitItems(store, items)).toSorted((a, b) => a - b);
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  const batch = ids.map((articleId) => ({ articleId, chunks: [] }));
  await store.indexing.commit(batch, { modelId: undefined });
  await sql`delete from work where article_id = any(${ids}::bigint[])`;
  if (rerankVectors) await queueWork(sql, "rerank", ids);
  return ids;
}

/** As many vectors as asked for, told apart by the article's number and their place. */
const vectors = (articleId: number, count = 2): Int8Array[] =>
  Array.from({ length: count }, (_, i) => Int8Array.of(articleId % 128, -128, i, 127));

const read = (ids: readonly number[]) => ids.map((articleId) => ({ articleId, vectors: vectors(articleId) }));
const claimed = async (options: Partial<typeof lease> = {}) =>
  (await stage.claim({ ...lease, ...options })).map(({ articleId }) => articleId).sort((a, b) => a - b);

/** Waits until so many statements of this database wait for a lock. */
async function blocked(count: number): Promise<void> {
  for (let waiting = 0; waiting < count; await Bun.sleep(5)) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    waiting = row?.waiting ?? 0;
  }
}

describe("what was read", () => {
  test("is served as it was given, chunk after chunk, and no longer to be read", async () => {
    const [a = 0, b = 0, none = 0] = await indexed(3);
    await claimed();
    const batch = [
      { articleId: b, vectors: vectors(b, 1) },
      { articleId: none, vectors: [] },
      { articleId: a, vectors: vectors(a, 3) },
    ];
    expect((await store.rerank.put(batch, model)).toSorted((x, y) => x - y)).toEqual([a, b, none]);
    const served = await store.rerank.vectorsOf([a, none, b, 999_999], model);
    expect(served.size).toBe(3);
    expect(served.get(a)).toEqual(Int8Array.from(vectors(a, 3).flatMap((vector) => [...vector])));
    expect(served.get(b)).toEqual(Int8Array.of(b % 128, -128, 0, 127));
    expect(served.get(none)).toEqual(new Int8Array());
    expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
    expect(await store.rerank.vectorsOf([], model)).toEqual(new Map());
  });

  test("of 16 chunks of 384 dimensions comes back whole", async () => {
    const ids = await indexed(3);
    await claimed();
    const long = ids.map((articleId) => ({
      articleId,
      vectors: Array.from({ length: 16 }, (_, i) =>
        Int8Array.from({ length: 384 }, (_, j) => i * 17 + j * 31 + articleId),
      ),
    }));
    await store.rerank.put(long, model);
    const served = await store.rerank.vectorsOf(ids, model);
    for (const { articleId, vectors } of long) {
      const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer)));
      expect(Buffer.from(served.get(articleId) ?? []).equals(bytes)).toBe(true);
    }
  });

  test("by another model is not served, and takes the place of what was", async () => {
    const [id = 0, other = 0] = await indexed(2);
    await claimed();
    await store.rerank.put(read([id, other]), model);
    await sql`insert into work (article_id, stage, lease_owner, lease_until) values (${id}, 'rerank', 'o', now())`;
    const newer = { ...model, modelId: "reader@2" };
    expect(await store.rerank.put([{ articleId: id, vectors: [Int8Array.of(1, 2)] }], newer)).toEqual([id]);
    expect(await store.rerank.vectorsOf([id, other], newer)).toEqual(new Map([[id, Int8Array.of(1, 2)]]));
    expect([...(await store.rerank.vectorsOf([id, other], model)).keys()]).toEqual([other]);
    expect(await store.rerank.vectorsOf([id, other], { modelId: "reader@3" })).toEqual(new Map());
  });

  test("too late, when another has taken the article up, is left out; what is said twice is stored once", async () => {
    const ids = await indexed(1);
    await claimed({ owner: "slow", leaseS: 0 });
    expect(await claimed({ owner: "quick" })).toEqual(ids);
    expect(await store.rerank.put(read(ids), { ...model, step: stage.step("slow") })).toEqual([]);
    expect(await store.rerank.vectorsOf(ids, model)).toEqual(new Map());
    expect(await store.rerank.put(read(ids), { ...model, step: stage.step("quick") })).toEqual(ids);
    expect(await store.rerank.put(read(ids), { ...model, step: stage.step("quick") })).toEqual([]);
    expect((await store.rerank.vectorsOf(ids, model)).size).toBe(1);
  });

  test("of an article that was deleted meanwhile is left out, and goes with one that is deleted later", async () => {
    const [gone = 0, stays = 0, later = 0] = await indexed(3);
    await claimed();
    await store.articles.remove(gone);
    expect(await store.rerank.put(read([gone, stays, later]), model)).toEqual([stays, later]);
    await store.articles.remove(later);
    expect(await sql`select article_id as id from rerank_vectors`).toMatchObject([{ id: stays }]);
    expect(await sql`select 1 from work`).toHaveLength(0);
  });
});

describe("an article whose text changes", () => {
  test("has no vectors any more, and is to be read again", async () => {
    const [id = 0, same = 0] = await indexed(2);
    await claimed();
    await store.rerank.put(read([id, same]), model);
    await sql`update articles set title = 'Another' where article_id = ${id}`;
    await sql`update articles set title = title, content = content, lang = 'ar'`;
    expect([...(await store.rerank.vectorsOf([id, same], model)).keys()]).toEqual([same]);
    expect(await claimed()).toEqual([id]);
  });

  test("while it is read loses what was read of it, and is to be read again at once", async () => {
    const [id = 0, same = 0] = await indexed(2);
    await claimed();
    await sql`update articles set content = content || 'more' where article_id = ${id}`;
    expect(await store.rerank.put(read([id, same]), model)).toEqual([same]);
    expect(await store.rerank.vectorsOf([id], model)).toEqual(new Map());
    expect(await stage.claim({ ...lease, owner: "p" })).toMatchObject([{ articleId: id, attempts: 1 }]);
  });

  test("while its vectors are stored has none afterwards", async () => {
    const ids = await indexed(3);
    await claimed();
    const { both } = await sql.begin(async (tx) => {
      await tx`lock table rerank_vectors in share mode`;
      const put = store.rerank.put(read(ids), model);
      await blocked(1);
      const change = sql`update articles set title = title || '!'`.execute();
      await blocked(2);
      return { both: Promise.all([put, change]) };
    });
    expect((await both)[0]).toEqual(ids);
    expect(await store.rerank.vectorsOf(ids, model)).toEqual(new Map());
    expect(await claimed()).toEqual(ids);
  });

  test("just before its vectors are stored gets none", async () => {
    const ids = await indexed(3);
    await claimed();
    const { put } = await sql.begin(async (tx) => {
      await tx`update articles set title = title || '!'`;
      const put = store.rerank.put(read(ids), model);
      await blocked(1);
      return { put };
    });
    expect(await put).toEqual([]);
    expect(await claimed()).toEqual(ids);
  });

  test("is not put on the list where no article is read", async () => {
    const [id = 0] = await indexed(1, { rerankVectors: false });
    await sql`update articles set title = 'Another' where article_id = ${id}`;
    expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
  });
});
