import { describe, expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { quantizeQuery, quantizeRow } from "./codes.ts";
import { createSketchStore, type SketchStore } from "./sketch.ts";
import { randomVector } from "./testing.ts";
import { seeded } from "../../std/random.ts";

const ALL = Number.NEGATIVE_INFINITY;

function filled(dims: number, vectors: readonly Float32Array[]): SketchStore {
  const store = createSketchStore(dims);
  if (store === undefined) throw new Error("no sketches for these dimensions on this machine");
  const codes = new Int8Array(dims);
  vectors.forEach((vector, row) => {
    quantizeRow(vector, codes);
    store.write(row, codes);
  });
  return store;
}

function estimate(store: SketchStore, vector: Float32Array): void {
  const query = quantizeQuery(vector);
  if (query === undefined) throw new Error("a query without direction");
  store.estimate(query);
}

function listed(store: SketchStore, least: number, below = Number.POSITIVE_INFINITY): number[] {
  const rows: number[] = [];
  for (const list of store.lists(() => least, below)) rows.push(...list);
  return rows;
}

/** Random directions, and those near to `query` more and more. */
const spread = (dims: number, query: Float32Array, random: () => number) =>
  Array.from({ length: 3000 }, (_, i) => {
    const away = randomVector(dims, random);
    return away.map((component, j) => component + (i / 1500) * at(query, j));
  });

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * at(b, i), 0) / (Math.hypot(...a) * Math.hypot(...b));
}

describe("SketchStore", () => {
  test.each([64, 100, 256])("of %d dimensions, few rows are nearer than estimated, and none is far from it", (dims) => {
    const random = seeded(41);
    const query = randomVector(dims, random);
    const vectors = spread(dims, query, random);
    const store = filled(dims, vectors);
    const cosines = vectors.map((vector) => cosine(vector, query));
    estimate(store, query);
    let nearer = 0;
    for (let least = -1; least < 1; least += 0.05) {
      const rows = new Set(listed(store, least));
      for (const [row, is] of cosines.entries()) {
        if (is >= least && is < least + 0.05 && !rows.has(row)) nearer++;
        // Three standard deviations for the estimate, and six for its error.
        if (is < least - 9 / Math.sqrt(dims)) expect(rows.has(row)).toBe(false);
      }
    }
    expect(nearer / vectors.length).toBeLessThan(0.002);
  });

  test("lists each row once, in order, between two bounds and the next ones", () => {
    const random = seeded(42);
    const query = randomVector(64, random);
    const store = filled(64, spread(64, query, random));
    estimate(store, query);
    const [far, near] = [listed(store, ALL, 0.4), listed(store, 0.4)];
    expect(far.length * near.length).toBeGreaterThan(0);
    expect(far).toEqual(far.toSorted((a, b) => a - b));
    expect([...far, ...near].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 3000 }, (_, row) => row));
  });

  test("knows about what so many rows reach", () => {
    const random = seeded(43);
    const query = randomVector(64, random);
    const store = filled(64, spread(64, query, random));
    estimate(store, query);
    for (const count of [100, 400, 2000]) {
      const reached = listed(store, store.reachedBy(count)).length;
      expect(Math.abs(reached - count)).toBeLessThan(count / 2);
    }
    expect(store.reachedBy(4000)).toBe(ALL);
  });

  test("lists no row that was emptied or never written, and what stands in a row now", () => {
    const random = seeded(44);
    const vectors = Array.from({ length: 40 }, () => randomVector(64, random));
    const store = filled(64, vectors);
    for (const row of [0, 17, 39]) store.clear(row);
    store.clear(60);
    const [query = new Float32Array()] = vectors.slice(5);
    estimate(store, query);
    expect(listed(store, ALL)).toEqual(vectors.map((_, row) => row).filter((row) => ![0, 17, 39].includes(row)));
    expect(listed(store, 0.99)).toEqual([5]);
    const codes = new Int8Array(64);
    quantizeRow(query, codes);
    store.write(60, codes);
    quantizeRow(
      query.map((component) => -component),
      codes,
    );
    store.write(5, codes);
    estimate(store, query);
    expect(listed(store, 0.99)).toEqual([60]);
  });

  test("keeps its rows while it grows, a bit a dimension and 8 bytes each", () => {
    const random = seeded(45);
    const [first, second] = [randomVector(64, random), randomVector(64, random)];
    const store = filled(
      64,
      Array.from({ length: 100_000 }, (_, row) => (row % 1000 === 7 ? first : second)),
    );
    estimate(store, first);
    expect(listed(store, 0.99)).toEqual(Array.from({ length: 100 }, (_, i) => i * 1000 + 7));
    expect(store.bytes()).toBeLessThan(100_000 * 16 * 1.25 + 400_000);
  });

  test("there is none for a few dimensions", () => {
    expect(createSketchStore(63)).toBeUndefined();
  });

  test("of no rows it lists none", () => {
    const store = filled(64, []);
    estimate(store, new Float32Array(64).fill(1));
    expect([store.reachedBy(10), listed(store, ALL)]).toEqual([ALL, []]);
  });
});
