import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ChunkChange, type NewChunk, packVectors, unpackVector } from "./chunks.ts";
import { admitItems, testItem, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

const MODEL = { modelId: "model@1" };

const chunk = (no: number, ...values: number[]): NewChunk => ({
  no,
  start: no * 10,
  end: no * 10 + 10,
  vector: Float32Array.from(values.length > 0 ? values : [0.5, 0.25]),
});

async function normalized(count: number, fields = {}): Promise<number[]> {
  const ids = await admitItems(
    store,
    Array.from({ length: count }, () => testItem(fields)),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "ar", categoryId: "sports" })));
  return ids;
}

const of = (changes: readonly ChunkChange[], articleId: number) =>
  changes.filter((each) => each.articleId === articleId);

describe("commit", () => {
  test("writes chunks, state and event together", async () => {
    const [id = 0] = await normalized(1, { publishedAt: "2024-05-06T07:08:09.123Z", domain: "a.example" });
    expect(await store.indexing.commit([{ articleId: id, chunks: [chunk(0, 1, 0), chunk(1, 0, 1)] }], MODEL)).toEqual([
      id,
    ]);
    expect((await store.articles.get(id))?.state).toBe("indexed");
    const fields = ["lang", "categoryId", "domain", "sourceId", "publishedAt"] as const;
    const { changes } = await store.chunks.since("model@1", 0, 100, fields);
    expect(of(changes, id)).toMatchObject([
      {
        kind: "upsert",
        chunkNo: 0,
        start: 0,
        end: 10,
        vector: Float32Array.of(1, 0),
        lang: "ar",
        categoryId: "sports",
        domain: "a.example",
        sourceId: "test-source",
        publishedAt: "2024-05-06T07:08:09.123Z",
      },
      { kind: "upsert", chunkNo: 1, vector: Float32Array.of(0, 1) },
    ]);
    const events = await sql<{ type: string; article: { doc_id: string; published_at: string } }[]>`
      select type, article from outbox where article_id = ${id}`;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: "article.upserted",
      article: { article_id: id, source_id: "test-source", lang: "ar", published_at: "2024-05-06T07:08:09.123Z" },
    });
  });

  test("leaves out what is deleted, failed or not yet normalized, and says so", async () => {
    const [gone = 0, failed = 0, fine = 0] = await normalized(3);
    const [raw = 0] = await admitItems(store, [testItem()]);
    await store.articles.remove(gone);
    await store.articles.markFailed(failed, "x");
    const batch = [gone, failed, raw, fine].map((articleId) => ({ articleId, chunks: [chunk(0)] }));
    expect(await store.indexing.commit(batch, MODEL)).toEqual([fine]);
    expect(await sql`select 1 from chunks where article_id in (${gone}, ${failed}, ${raw})`).toHaveLength(0);
    expect(await store.indexing.commit([], MODEL)).toEqual([]);
  });

  test("replaces the chunks of an article that is indexed again, without a second event", async () => {
    const [id = 0] = await normalized(1);
    await store.indexing.commit([{ articleId: id, chunks: [chunk(0), chunk(1), chunk(2)] }], MODEL);
    const before = await store.chunks.since("model@1", 0, 1000);
    await store.indexing.commit([{ articleId: id, chunks: [chunk(0, 0.75, 0)] }], MODEL);
    const after = await store.chunks.since("model@1", before.nextSeq, 1000);
    expect(of(after.changes, id)).toMatchObject([{ kind: "delete" }, { kind: "upsert", chunkNo: 0 }]);
    expect(await sql`select 1 from chunks where article_id = ${id}`).toHaveLength(1);
    expect(await sql`select 1 from outbox where article_id = ${id}`).toHaveLength(1);
  });

  test("keeps the chunks of two models apart", async () => {
    const [id = 0] = await normalized(1);
    await store.indexing.commit([{ articleId: id, chunks: [chunk(0)] }], MODEL);
    await store.indexing.commit([{ articleId: id, chunks: [chunk(0, 1, 2, 3, 4)] }], { modelId: "model@2" });
    expect(of((await store.chunks.since("model@1", 0, 1000)).changes, id)).toMatchObject([{ kind: "upsert" }]);
    const other = of((await store.chunks.since("model@2", 0, 1000)).changes, id);
    expect(other).toMatchObject([{ kind: "upsert", vector: Float32Array.of(1, 2, 3, 4) }]);
  });

  test("takes an article without chunks", async () => {
    const [id = 0] = await normalized(1);
    expect(await store.indexing.commit([{ articleId: id, chunks: [] }], MODEL)).toEqual([id]);
    expect((await store.articles.get(id))?.state).toBe("indexed");
  });

  test("of the same articles from two workers at once is done once for each", async () => {
    const ids = await normalized(20);
    const batch = (order: number[]) => order.map((articleId) => ({ articleId, chunks: [chunk(0)] }));
    await Promise.all([
      store.indexing.commit(batch(ids), MODEL),
      store.indexing.commit(batch(ids.toReversed()), MODEL),
      store.indexing.commit(batch(ids), MODEL),
    ]);
    expect(await sql`select 1 from chunks where article_id = any(${ids})`).toHaveLength(20);
    expect(await sql`select 1 from outbox where article_id = any(${ids})`).toHaveLength(20);
  });
});

describe("since", () => {
  test("goes through all changes in their order, page by page, ending where nothing is left", async () => {
    const ids = await normalized(9);
    for (const articleId of ids) await store.indexing.commit([{ articleId, chunks: [chunk(0), chunk(1)] }], MODEL);
    await store.articles.remove(ids[4] ?? 0);
    const all: ChunkChange[] = [];
    let seq = 0;
    for (;;) {
      const page = await store.chunks.since("model@1", seq, 7);
      if (page.changes.length === 0) {
        expect(page.nextSeq).toBe(seq);
        break;
      }
      all.push(...page.changes);
      seq = page.nextSeq;
    }
    const numbers = all.map((change) => change.seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(of(all, ids[4] ?? 0)).toMatchObject([{ kind: "delete" }]);
    expect(of(all, ids[5] ?? 0)).toHaveLength(2);
    expect((await store.chunks.counts("model@1")).lastSeq).toBe(seq);
  });

  test("shows a reader that only goes forward every change, while many write", async () => {
    const ids = await normalized(40);
    let seq = (await store.chunks.counts("model@1")).lastSeq;
    let writing = true;
    const writers = Promise.all(
      ids.map((articleId) => store.indexing.commit([{ articleId, chunks: [chunk(0)] }], MODEL)),
    ).finally(() => {
      writing = false;
    });
    const seen: number[] = [];
    for (let quiet = false; !quiet; ) {
      const wasWriting = writing;
      const page = await store.chunks.since("model@1", seq, 5);
      seen.push(...page.changes.map((change) => change.articleId));
      seq = page.nextSeq;
      quiet = !wasWriting && page.changes.length === 0;
    }
    await writers;
    expect(seen.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  test("shows a model that nobody has used deletions alone, which hold for every model", async () => {
    const { changes } = await store.chunks.since("unused@1", 0, 100);
    expect(new Set(changes.map((change) => change.kind))).toEqual(new Set(["delete"]));
  });
});

describe("vectors", () => {
  test("come back from their bytes with the precision of float16", () => {
    const vectors = [Float32Array.of(0.5, -0.25, 1), Float32Array.of(0.1, 1e-5, -65504)];
    const bytes = packVectors(vectors);
    expect(bytes.length).toBe(12);
    expect([...unpackVector(bytes.subarray(0, 6))]).toEqual([0.5, -0.25, 1]);
    const [a = 0, b = 0, c = 0] = unpackVector(bytes.subarray(6));
    expect(Math.abs(a - 0.1)).toBeLessThan(0.0001);
    expect(Math.abs(b - 1e-5)).toBeLessThan(1e-7);
    expect(c).toBe(-65504);
  });

  test("are read at odd offsets of a buffer too", () => {
    const bytes = packVectors([Float32Array.of(0.5, 2)]);
    const shifted = Buffer.concat([Buffer.from([0]), bytes]).subarray(1);
    expect([...unpackVector(shifted)]).toEqual([0.5, 2]);
  });

  test("of different lengths are refused", () => {
    expect(() => packVectors([Float32Array.of(1), Float32Array.of(1, 2)])).toThrow(/1 and of 2 dimensions/);
  });

  test("may be none", () => {
    expect(packVectors([])).toHaveLength(0);
  });
});
