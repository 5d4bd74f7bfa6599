import { describe, expect, test } from "bun:test";
import { packVectors, unpackVector } from "./vectors.ts";

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
