import { describe, expect, test } from "bun:test";
import { seeded } from "../../std/random.ts";
import {
  BLOCK,
  type CodeStore,
  createCodeStore,
  HalfStore,
  plainCodes,
  type QuantizedQuery,
  quantizeQuery,
  quantizeRow,
  type RowSet,
  wasmCodes,
} from "./codes.ts";
import { randomVector } from "./testing.ts";

const kinds: [string, (width: number) => CodeStore][] = [
  ["wasmCodes()", wasmCodes],
  ["plainCodes()", plainCodes],
];

/** A query whose codes are these. */
const queryOf = (wide: Int16Array, scale = 1, error = 0): QuantizedQuery => {
  return { wide, scale, error, unit: new Float64Array(), narrow: new Int8Array() };
};
const EXACT = { scale: 1, error: 0 };

/** The rows that a scan keeps, each with its bounds. */
function scanned(store: CodeStore, among: RowSet, query: QuantizedQuery, floor = Number.NEGATIVE_INFINITY) {
  const { count, rows, bounds } = store.scan(among, query, floor);
  return Array.from({ length: count }, (_, i) => [rows[i] ?? -1, bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0]);
}

describe.each(kinds)("%s", (_name, create) => {
  test("gives exact dot products within what is stated of them, for any rows in any order", () => {
    const random = seeded(1);
    const store = create(48);
    const codes = Array.from({ length: 2000 }, () => Int8Array.from({ length: 48 }, () => random() * 255 - 127.5));
    const precisions = codes.map(() => ({ scale: Math.fround(random()), error: Math.fround(random() / 50) }));
    codes.forEach((row, i) => {
      store.write(i, row, precisions[i] ?? EXACT);
    });
    const wide = Int16Array.from({ length: 48 }, () => random() * 40_000 - 20_000);
    const query = queryOf(wide, 1e-7, 1e-3);
    const expected = codes.map((row, number) => {
      const { scale, error } = precisions[number] ?? EXACT;
      const product = row.reduce((sum, code, j) => sum + code * (wide[j] ?? 0), 0);
      const score = product * scale * 1e-7;
      const bound = error + 1e-3 * (1 + error);
      return [number, score - bound, score + bound];
    });
    const list = Uint32Array.from({ length: 999 }, () => random() * 2000);
    expect(scanned(store, list, query)).toEqual([...list].map((row) => expected[row] ?? []));
    for (const [from, to] of [
      [0, 1000],
      [1101, 2000],
      [1999, 3000],
    ] as const) {
      const rows = expected.slice(from, to);
      expect(scanned(store, { from, to }, query)).toEqual(rows);
      const floor = rows[0]?.[2] ?? 0;
      expect(scanned(store, { from, to }, query, floor)).toEqual(rows.filter(([, , most]) => (most ?? 0) >= floor));
    }
    expect(scanned(store, { from: 0, to: BLOCK }, query)).toEqual(expected);
  });

  test("takes the extremes without overflow within a row", () => {
    const store = create(1024);
    store.write(0, new Int8Array(1024).fill(-127), EXACT);
    const [[, least] = []] = scanned(store, Uint32Array.of(0), queryOf(new Int16Array(1024).fill(16_000)));
    expect(least).toBe(-127 * 16_000 * 1024);
  });

  test("fills short rows with zeros, also over an older row", () => {
    const store = create(32);
    store.write(3, new Int8Array(32).fill(9), EXACT);
    store.write(3, Int8Array.of(1, 2), EXACT);
    expect([...store.read(3)]).toEqual([1, 2, ...new Array(30).fill(0)]);
    expect(scanned(store, Uint32Array.of(3), queryOf(new Int16Array(32).fill(1)))).toEqual([[3, 3, 3]]);
  });

  test("finds no row that was emptied, nor one that was never written", () => {
    const store = create(16);
    for (const row of [1, 2, 4]) store.write(row, new Int8Array(16).fill(1), EXACT);
    store.clear(2);
    store.clear(6);
    const query = queryOf(new Int16Array(16).fill(1));
    expect(scanned(store, { from: 0, to: 9 }, query).map(([row]) => row)).toEqual([1, 4]);
    expect(scanned(store, Uint32Array.of(4, 2, 3, 1, 6), query).map(([row]) => row)).toEqual([4, 1]);
    store.write(2, new Int8Array(16).fill(1), EXACT);
    expect(scanned(store, { from: 1, to: 4 }, query).map(([row]) => row)).toEqual([1, 2]);
  });

  test("keeps its rows while it grows", () => {
    const store = create(16);
    for (let i = 0; i < 30_000; i++) store.write(i, new Int8Array(16).fill(i % 100), EXACT);
    for (const i of [0, 1023, 4096, 29_999]) expect(store.read(i)[0]).toBe(i % 100);
    expect(store.bytes()).toBeLessThan(30_000 * 24 * 1.5 + 200_000);
  });

  test("gives nothing for no rows", () => {
    const query = queryOf(new Int16Array(16));
    expect(scanned(create(16), new Uint32Array(), query)).toEqual([]);
    expect(scanned(create(16), { from: 0, to: 10 }, query)).toEqual([]);
  });
});

test("createCodeStore() rounds the width up to a multiple of 16", () => {
  expect([1, 16, 17, 384].map((dims) => createCodeStore(dims).width)).toEqual([16, 16, 32, 384]);
});

/** Every finite float16. */
const FINITE = Uint16Array.from({ length: 65_536 }, (_, bits) => bits).filter((bits) => (bits & 0x7c00) !== 0x7c00);

test("HalfStore decodes every finite float16, the smallest too", () => {
  const values = new Float16Array(FINITE.buffer);
  const store = new HalfStore(1);
  FINITE.forEach((_, row) => {
    store.write(row, FINITE.subarray(row, row + 1));
  });
  const rows = Uint32Array.from(FINITE, (_, row) => row);
  const products = new Float64Array(rows.length);
  store.products(rows, rows.length, Float64Array.of(1), products);
  // A product is added to 0, which takes the sign from a zero.
  expect(products).toEqual(Float64Array.from(values, (value) => value + 0));
});

test("its products are those of a loop over the components, to the last bit, for any rows in any order", () => {
  const random = seeded(31);
  const store = new HalfStore(40);
  const vectors = Array.from({ length: 3000 }, () => Float16Array.from({ length: 40 }, () => random() - 0.5));
  vectors.forEach((vector, row) => {
    store.write(row, new Uint16Array(vector.buffer));
  });
  const query = Float64Array.from({ length: 40 }, () => random() - 0.5);
  for (const count of [0, 1, 2, 7, 1023, 1024, 1025, 5001]) {
    const rows = Uint32Array.from({ length: 6000 }, () => random() * 3000);
    const products = new Float64Array(6000).fill(9);
    store.products(rows, count, query, products);
    for (let i = 0; i < 6000; i++) {
      let sum = 0;
      const vector = vectors[rows[i] ?? 0] ?? [];
      for (let j = 0; j < 40; j++) sum += (vector[j] ?? 0) * (query[j] ?? 0);
      if (products[i] !== (i < count ? sum : 9)) throw new Error(`product ${i} of ${count} is ${products[i]}`);
    }
  }
});

test("it keeps its rows while it grows, and reads many as one", () => {
  const store = new HalfStore(8);
  for (let row = 0; row < 20_000; row++) store.write(row, new Uint16Array(8).fill(row));
  expect([...store.read(19_998, 2)]).toEqual([...new Array(8).fill(19_998), ...new Array(8).fill(19_999)]);
  expect(store.bytes()).toBeLessThan(20_000 * 16 * 1.3 + 100_000);
});

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);

describe("quantizeRow()", () => {
  test("leaves out what it says and no more", () => {
    const random = seeded(2);
    for (let i = 0; i < 200; i++) {
      const vector = randomVector(64, random).map((component) => component * (0.01 + random() * 100));
      const codes = new Int8Array(64);
      const row = quantizeRow(vector, codes);
      if (row === undefined) throw new Error("no codes");
      const rest = vector.map((component, j) => component - row.scale * (codes[j] ?? 0));
      expect(Math.hypot(...rest)).toBeLessThanOrEqual(row.error * (1 + 1e-6));
      expect(row.norm).toBeCloseTo(Math.hypot(...vector), 6);
      expect(row.error / row.norm).toBeLessThan(0.02);
      expect(Math.max(...codes.map(Math.abs))).toBe(127);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("refuses a vector with %p", (bad) => {
    expect(quantizeRow(Float32Array.of(0.5, bad, 0.5), new Int8Array(3))).toBeUndefined();
  });

  test("refuses a vector of zeros, and of numbers too small to square", () => {
    expect(quantizeRow(new Float32Array(8), new Int8Array(8))).toBeUndefined();
    expect(quantizeRow(new Float32Array(8).fill(0), new Int8Array(8))).toBeUndefined();
  });
});

describe("quantizeQuery()", () => {
  test("approximates the query of length 1 within its error", () => {
    const random = seeded(3);
    for (let i = 0; i < 100; i++) {
      const query = quantizeQuery(randomVector(256, random).map((component) => component * 7));
      if (query === undefined) throw new Error("no codes");
      expect(Math.hypot(...query.unit)).toBeCloseTo(1, 6);
      const rest = query.unit.map((component, j) => component - query.scale * (query.wide[j] ?? 0));
      expect(Math.hypot(...rest)).toBeLessThanOrEqual(query.error * (1 + 1e-9));
      expect(query.error).toBeLessThan(1e-3);
    }
  });

  test("keeps the product with any row within 32 bits", () => {
    for (const dims of [16, 384, 4096]) {
      for (const shape of [(_: number) => 1, (i: number) => (i === 0 ? 1 : 0), (i: number) => (-1) ** i]) {
        const query = quantizeQuery(Float32Array.from({ length: dims }, (_, i) => shape(i)));
        const worst = Int8Array.from(query?.wide ?? [], (code) => Math.sign(code) * 127);
        expect(dot(worst, query?.wide ?? [])).toBeLessThan(2 ** 31);
      }
    }
  });

  test("has codes of the whole int8 range for the graph", () => {
    expect([...(quantizeQuery(Float32Array.of(0.1, -0.2, 0.05))?.narrow ?? [])]).toEqual([64, -127, 32]);
  });

  test("throws for a component that is not finite and knows no direction of zeros", () => {
    expect(() => quantizeQuery(Float32Array.of(1, Number.NaN))).toThrow(RangeError);
    expect(() => quantizeQuery(Float32Array.of(1, Number.POSITIVE_INFINITY))).toThrow(RangeError);
    expect(quantizeQuery(new Float32Array(4))).toBeUndefined();
  });
});
