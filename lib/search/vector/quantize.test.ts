import { describe, expect, test } from "bun:test";
import { quantizeQuery, quantizeRow } from "./quantize.ts";
import { randomVector } from "./testing.ts";
import { seeded } from "../../std/random.ts";

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
