import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles, queueWork, testStage, testStore } from "./testing.ts";

describe("renew", async () => {
  setDefaultTimeout(300_000);

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
    expect(await store.entities.renew({ ...everything, modelIds: ["tagger@1"] })).toMatchObject({ enlisted: 2 });
    expect(await waiting()).toEqual(old);
    expect(await store.entities.renew({ ...everything, modelIds: ["tagger@1", null] })).toMatchObject({ enlisted: 1 });
    expect(await waiting()).toEqual([...old, ...unknown]);
  });

  test("a stretch ends at its limit, whether or not anything in it was put back, and behind the last there is none", async () => {
    const ids = await foundBy(5, "tagger@1");
    const stretch = { limit: 2, modelIds: ["tagger@1"] };
    expect(await store.entities.renew({ ...stretch, afterId: 0 })).toEqual({ lastId: ids[1], enlisted: 2 });
    expect(await store.entities.renew({ ...stretch, afterId: 0 })).toEqual({ lastId: ids[1], enlisted: 0 });
    expect(await store.entities.renew({ ...stretch, afterId: ids[3] ?? 0 })).toEqual({ lastId: ids[4], enlisted: 1 });
    expect(await store.entities.renew({ ...stretch, afterId: ids[4] ?? 0 })).toEqual({
      lastId: undefined,
      enlisted: 0,
    });
  });

  test("an article in flight stays leased; one that was set aside is tried afresh", async () => {
    const [leased = 0, givenUp = 0] = await foundBy(2, "tagger@1");
    await sql`insert into work (article_id, stage, attempts, lease_owner, lease_until, set_aside_at) values
    (${leased}, 'entities', 5, 'o', now() + interval '1 minute', null), (${givenUp}, 'entities', 5, null, null, now())`;
    expect(await stage.backlog()).toEqual({ waiting: 1, setAside: 1 });
    expect(await store.entities.renew({ ...everything, modelIds: ["tagger@1"] })).toMatchObject({ enlisted: 1 });
    expect(await stage.backlog()).toEqual({ waiting: 2, setAside: 0 });
    expect(await stage.claim({ owner: "o", limit: 5, leaseS: 60 })).toMatchObject([
      { articleId: givenUp, attempts: 1 },
    ]);
  });

  test("articles that are not indexed are passed over", async () => {
    await foundBy(1, undefined);
    await sql`update articles set state = 'failed'`;
    expect(await store.entities.renew({ ...everything, modelIds: [null] })).toMatchObject({ enlisted: 0 });
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
});

describe("enlist", async () => {
  setDefaultTimeout(300_000);

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
});

describe("lacking", async () => {
  const { store, close } = await testStore();
  afterAll(close);

  const NEW = "new@1";

  async function article(name: string, modelId?: string): Promise<number> {
    const hash = Bun.SHA256.hash(name, "hex");
    const text = { url: `https://x.example/${name}`, canonicalUrl: `https://x.example/${name}`, domain: "x.example" };
    const none = { raw: null, categoryLabel: null, provider: null, categoryId: null, categorySource: null };
    const outcome = await store.admission.admit(
      [
        {
          ...text,
          ...none,
          sourceId: "s",
          externalId: name,
          title: name,
          content: name,
          contentHash: hash,
          lang: "en",
          publishedAt: null,
          authors: [],
          images: [],
          categoryConfidence: null,
          taxonomyVersion: null,
        },
      ],
      { requireKnownSource: false },
    );
    const [result] = outcome.kind === "decided" ? outcome.results : [];
    const articleId = result?.status === "accepted" ? (result.articleId ?? 0) : 0;
    if (modelId === undefined) return articleId;
    await store.articles.markNormalized([{ articleId, lang: "en" }]);
    await store.indexing.commit(
      [{ articleId, chunks: [{ no: 0, start: 0, end: 1, vector: new Float32Array([1, 0]) }] }],
      { modelId },
    );
    return articleId;
  }

  test("indexed articles without chunks of a model are told apart from those that have them, page by page", async () => {
    const old = [await article("a", "old@1"), await article("b", "old@1"), await article("c", "old@1")];
    const done = await article("d", NEW);
    const waiting = await article("e");
    expect(await store.chunks.lacking(NEW, { afterId: 0, limit: 2 })).toEqual(old.slice(0, 2));
    expect(await store.chunks.lacking(NEW, { afterId: old[1] ?? 0, limit: 2 })).toEqual(old.slice(2));
    expect(await store.chunks.without(NEW, [done, waiting, old[2] ?? 0, 999_999])).toEqual(old.slice(2));
    expect(await store.chunks.without("old@1", old)).toEqual([]);
    expect(await store.chunks.without(NEW, [])).toEqual([]);
  });
});
