import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { admitItems, testDatabase, testItem } from "../../store/testing.ts";
import { articleIdOfKey, openStore, type Store } from "../../store/mod.ts";
import { randomVector } from "./testing.ts";
import { seeded } from "../../std/random.ts";
import type { VectorIndexOptions } from "./sink.ts";
import { createVectorIndex, type VectorIndex, VectorIndexLoading } from "./vector-index.ts";
import { until } from "../../std/testing-until.ts";

const DIMS = 32;
const MODEL = "test@1";
const random = seeded(1);

describe("createVectorIndex()", () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let store: Store;
  let dir: string;
  let open: VectorIndex[] = [];

  beforeEach(async () => {
    db = await testDatabase();
    store = openStore(db.url, { max: 4 });
    dir = await mkdtemp(join(tmpdir(), "isnad-vectors-"));
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((index) => index.close()));
    await store.close();
    await db.drop();
    await rm(dir, { recursive: true });
  });

  async function index(options: Partial<VectorIndexOptions> = {}): Promise<VectorIndex> {
    const created = await createVectorIndex({ store, dir, modelId: MODEL, dims: DIMS, pollMs: 100, ...options });
    open.push(created);
    return created;
  }

  /** Indexes an article with these vectors as its chunks. Returns its id. */
  async function article(vectors: Float32Array[], fields = {}): Promise<number> {
    const [id = 0] = await admitItems(store, [testItem(fields)]);
    await store.articles.markNormalized([{ articleId: id, lang: "en" }]);
    await chunks(id, vectors);
    return id;
  }

  async function chunks(articleId: number, vectors: Float32Array[]): Promise<void> {
    const cut = vectors.map((vector, no) => ({ no, start: no * 10, end: no * 10 + 9, vector }));
    await store.indexing.commit([{ articleId, chunks: cut }], { modelId: MODEL });
  }

  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  const found = async (on: VectorIndex, vector: Float32Array, filters = {}) => [
    ...(await on.search(vector, 10, filters)).articleIds.map(articleIdOfKey),
  ];

  test("finds what the store holds, with the best chunk's place", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([randomVector(DIMS, random), vector]);
    await article([randomVector(DIMS, random)]);
    const on = await index();
    await on.whenReady();
    const hits = await on.search(vector, 1, {});
    expect([...hits.articleIds].map(articleIdOfKey)).toEqual([id]);
    expect([...hits.chunks]).toEqual([1, 10, 19]);
    expect(hits.scores[0]).toBeCloseTo(1, 3);
    expect(on.seq).toBe((await store.log.head()).seq);
  });

  test("is loading until it has caught up, and says so", async () => {
    const on = await index();
    expect(on.ready).toBe(false);
    expect(await failure(on.search(new Float32Array(DIMS), 1, {}))).toBeInstanceOf(VectorIndexLoading);
    expect(await failure(on.check())).toBeInstanceOf(VectorIndexLoading);
    await on.whenReady();
    await on.check();
  });

  test("follows what is added, replaced and removed, on notice, long before the next poll", async () => {
    const on = await index({ pollMs: 60_000 });
    await on.whenReady();
    const [a, b] = [randomVector(DIMS, random), randomVector(DIMS, random)];
    const id = await article([a, b]);
    await until(async () => (await found(on, a)).includes(id));
    await chunks(id, [a]);
    await until(async () => ((await on.search(b, 1, {})).scores[0] ?? 1) < 0.9);
    await store.articles.remove(id);
    await until(async () => (await found(on, a)).length === 0);
  });

  test("follows by polling where notices do not come", async () => {
    const deaf = { ...store, log: { ...store.log, listen: async () => async () => {} } };
    const on = await index({ store: deaf, pollMs: 50 });
    await on.whenReady();
    const vector = randomVector(DIMS, random);
    const id = await article([vector]);
    await until(async () => (await found(on, vector)).includes(id));
  });

  test("filters by the tier of the source, and follows a change of it", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([vector], { sourceId: "daily" });
    await store.sources.upsert([{ key: "daily", tier: 1 }]);
    const on = await index({ refreshMs: 50 });
    await on.whenReady();
    expect(await found(on, vector, { source_tier: 1 })).toEqual([id]);
    await store.sources.upsert([{ key: "daily", tier: 2 }]);
    await until(async () => (await found(on, vector, { source_tier: 1 })).length === 0);
    expect(await found(on, vector, { source_tier: 2 })).toEqual([id]);
  });

  test("starts from its snapshot, and only reads what came after", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([vector]);
    const before = await index();
    await before.whenReady();
    await before.close();
    const later = randomVector(DIMS, random);
    const laterId = await article([later]);
    const asked: number[] = [];
    const read: Store["log"]["read"] = (after, options) => {
      asked.push(after.seq);
      return store.log.read(after, options);
    };
    const after = await index({ store: { ...store, log: { ...store.log, read } } });
    await after.whenReady();
    expect(asked[0]).toBe(before.seq);
    expect(await found(after, vector)).toContain(id);
    expect((await found(after, later))[0]).toBe(laterId);
  });

  test("a snapshot of another database is made equal to this one, and that is said", async () => {
    await article([randomVector(DIMS, random)]);
    const before = await index();
    await before.whenReady();
    await before.close();
    const other = await testDatabase();
    const otherStore = openStore(other.url, { max: 2 });
    const warnings: string[] = [];
    const logger = { info() {}, error() {}, warn: (_: object, message: string) => void warnings.push(message) };
    const after = await index({ store: otherStore, logger });
    await after.whenReady();
    expect((await after.status()).chunks).toBe(0);
    expect(warnings).toEqual(["index is compared with the database", "index was made equal to the database"]);
    expect(after.follower.status()).toMatchObject({ state: "following", resets: 1 });
    await after.close();
    await otherStore.close();
    await other.drop();
  });

  test("a rebuild that is asked for serves the old index until the new one is whole, and is then done", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([vector]);
    const on = await index();
    await on.whenReady();
    await until(async () => (await store.followers.list()).length === 1);
    expect(await store.followers.ask("vectors", "rebuild")).toHaveLength(1);
    const isAsked = async () => (await store.followers.list()).some(({ wanted }) => wanted !== null);
    while (await isAsked()) expect(await found(on, vector)).toEqual([id]);
    expect((await on.status()).chunks).toBe(1);
    expect(on.follower.status().resets).toBeGreaterThan(1);
  });

  test("tries again after a failure of any kind", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([vector]);
    let failures = 1;
    const read: Store["log"]["read"] = async (...args) => {
      if (failures-- > 0) throw new TypeError("a fault of the code");
      return store.log.read(...args);
    };
    const on = await index({ store: { ...store, log: { ...store.log, read } } });
    await on.whenReady();
    expect(await found(on, vector)).toEqual([id]);
  });

  test("stays loading while its thread cannot start, and can be closed", async () => {
    const on = await index({ dims: 0 });
    await Bun.sleep(300);
    expect(await failure(on.check())).toBeInstanceOf(VectorIndexLoading);
    await on.close();
    expect(await failure(on.whenReady())).toBeInstanceOf(Error);
  });

  test("is loaded again after its thread has ended, and never answers from an empty one", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([vector]);
    const on = await index({ worker: new URL("./testing-worker.ts", import.meta.url), pollMs: 60_000 });
    await on.whenReady();
    expect(await failure(on.search(vector, 13, {}))).toBeInstanceOf(Error);
    const answers: number[][] = [];
    await until(async () => {
      const answer = await found(on, vector).catch(() => undefined);
      if (answer !== undefined) answers.push(answer);
      return answer !== undefined;
    });
    for (const answer of answers) expect(answer).toEqual([id]);
    await on.check();
    expect(on.threads()).toMatchObject({ alive: 1, failing: 0, restarts: 1 });
  });

  test("refuses a query of other dimensions, and one that is not finite", async () => {
    const on = await index();
    await on.whenReady();
    expect(await failure(on.search(new Float32Array(3), 1, {}))).toBeInstanceOf(RangeError);
    expect(await failure(on.search(new Float32Array(DIMS).fill(Number.NaN), 1, {}))).toBeInstanceOf(RangeError);
    expect((await on.search(new Float32Array(DIMS), 1, {})).articleIds).toHaveLength(0);
  });

  test("serves on while the store is away", async () => {
    const vector = randomVector(DIMS, random);
    const id = await article([vector]);
    let away = false;
    const read: Store["log"]["read"] = async (...args) => {
      if (away) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      return store.log.read(...args);
    };
    const on = await index({ store: { ...store, log: { ...store.log, read } }, pollMs: 20 });
    await on.whenReady();
    away = true;
    await Bun.sleep(100);
    expect(await found(on, vector)).toEqual([id]);
    const later = randomVector(DIMS, random);
    const laterId = await article([later]);
    away = false;
    await until(async () => (await found(on, later)).includes(laterId));
  });
});
