import { describe, expect, test } from "bun:test";
import { cosine, followClaims, followReviews, NearestVectors, signedBytesOf } from "./follow.ts";

describe("follow", () => {
  const DIMS = 64;
  const vector = (seed: number): Int8Array => Int8Array.from({ length: DIMS }, (_, i) => ((i * seed * 37) % 251) - 125);

  /** A store whose claims are those of a list, by the numbers of their changes; `pages` counts its readings. */
  function storeOf(rows: { id: number; seq: number; vector: Int8Array }[]) {
    const state = { epoch: "1", pages: 0, positions: 0 };
    const page = async (_: string, { after, limit }: { after: number; limit: number }) => {
      state.pages++;
      return rows.filter(({ seq }) => seq > after).slice(0, limit);
    };
    const newest = () => rows.at(-1)?.seq ?? 0;
    const position = async () => {
      state.positions++;
      return { epoch: state.epoch, claims: newest(), reviews: newest() };
    };
    return { state, store: { claims: { position, vectors: page }, reviews: { vectors: page } } };
  }

  test("what is new is read before each use, and nothing where there is none", async () => {
    const rows = [{ id: 1, seq: 3, vector: vector(1) }];
    const { store, state } = storeOf(rows);
    const followed = followClaims(store, { modelId: "m@1", dims: DIMS });
    expect(await followed.sync()).toBe(3);
    expect(await followed.sync()).toBe(3);
    expect(state.pages).toBe(1);
    rows.push({ id: 2, seq: 9, vector: vector(2) });
    expect(await followed.sync(await store.claims.position())).toBe(9);
    expect([followed.size(), state.pages]).toEqual([2, 2]);
    expect(followed.near(vector(2), { least: 0.9, count: 1 }).map(({ id }) => id)).toEqual([2]);
  });

  test("a position that is given is not asked for again", async () => {
    const { store, state } = storeOf([{ id: 1, seq: 3, vector: vector(1) }]);
    const followed = followReviews(store, { modelId: "m@1", dims: DIMS });
    const position = { epoch: "1", claims: 0, reviews: 3 };
    await followed.sync(position);
    await followed.sync(position);
    expect([state.positions, state.pages]).toEqual([0, 1]);
  });

  test("where the database is another one all is read anew", async () => {
    const rows = [{ id: 1, seq: 30, vector: vector(1) }];
    const { store, state } = storeOf(rows);
    const followed = followClaims(store, { modelId: "m@1", dims: DIMS });
    await followed.sync();
    state.epoch = "2";
    rows[0] = { id: 7, seq: 4, vector: vector(3) };
    expect(await followed.sync()).toBe(4);
    expect(followed.near(vector(3), { least: 0.9, count: 1 }).map(({ id }) => id)).toEqual([7]);
    expect(followed.size()).toBe(1);
  });

  test("calls side by side share a reading, and one that asks for more reads on", async () => {
    const rows = [{ id: 1, seq: 1, vector: vector(1) }];
    const { store, state } = storeOf(rows);
    const followed = followClaims(store, { modelId: "m@1", dims: DIMS });
    const early = followed.sync({ epoch: "1", claims: 1, reviews: 0 });
    rows.push({ id: 2, seq: 2, vector: vector(2) });
    const late = followed.sync({ epoch: "1", claims: 2, reviews: 0 });
    await Promise.all([early, late]);
    expect(followed.size()).toBe(2);
    expect(state.pages).toBeLessThanOrEqual(2);
  });

  test("changes of other models end a reading", async () => {
    const { store, state } = storeOf([]);
    const followed = followClaims(store, { modelId: "m@1", dims: DIMS });
    expect(await followed.sync({ epoch: "1", claims: 12, reviews: 0 })).toBe(12);
    expect([followed.size(), state.pages]).toEqual([0, 1]);
  });
});

describe("nearest", () => {
  const DIMS = 128;
  let seed = 1;
  function random(): number {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  }
  const vector = () => signedBytesOf(Float32Array.from({ length: DIMS }, random));
  const mixed = (a: Int8Array, b: Int8Array, share: number) =>
    signedBytesOf(Float32Array.from(a, (value, i) => share * value + (1 - share) * (b[i] ?? 0)));

  test("finds what is near among thousands, within a bound", () => {
    const nearest = new NearestVectors(DIMS);
    const wanted = vector();
    for (let id = 1; id <= 5_000; id++) nearest.add(id, id % 1_000 === 0 ? mixed(wanted, vector(), 0.8) : vector());
    const candidates = nearest.near(wanted, { least: 0.5, count: 10 });
    const ids = candidates.map(({ id }) => id);
    for (const id of [1_000, 2_000, 3_000, 4_000, 5_000]) expect(ids).toContain(id);
    expect(candidates.length).toBeLessThanOrEqual(200);
  });

  test("what was dropped is not found, nor anything after it was cleared", () => {
    const nearest = new NearestVectors(DIMS);
    const own = vector();
    nearest.add(7, own);
    nearest.add(8, new Int8Array(DIMS));
    nearest.add(9, new Int8Array(3).fill(1));
    expect(nearest.size).toBe(1);
    const [found] = nearest.near(own, { least: 0.5, count: 5 });
    expect(found?.id).toBe(7);
    nearest.drop([found?.row ?? 0]);
    expect(nearest.near(own, { least: 0.5, count: 5 })).toEqual([]);
    nearest.clear();
    nearest.add(1, own);
    expect(nearest.near(own, { least: 0.5, count: 5 })).toEqual([{ id: 1, row: 0 }]);
    expect(nearest.near(new Int8Array(DIMS), { least: 0.5, count: 5 })).toEqual([]);
  });

  test("few dimensions are refused", () => {
    expect(() => new NearestVectors(8)).toThrow(RangeError);
  });

  test("a vector as signed bytes keeps its direction; one without a direction is zeros", () => {
    const floats = Float32Array.from({ length: DIMS }, random);
    expect(cosine(floats, signedBytesOf(floats))).toBeGreaterThan(0.999);
    expect(signedBytesOf(new Float32Array(2))).toEqual(new Int8Array(2));
    expect(signedBytesOf(Float32Array.from([Number.NaN, 1]))).toEqual(new Int8Array(2));
    expect(cosine(new Int8Array(2), new Int8Array([1, 1]))).toBe(0);
  });
});
