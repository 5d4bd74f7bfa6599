import { describe, expect, test } from "bun:test";
import { grown } from "./grow.ts";

const make = (length: number) => new Int32Array(length);

describe("grown()", () => {
  test("gives the same array while it is long enough", () => {
    const array = Int32Array.of(1, 2, 3);
    expect(grown(array, 3, make)).toBe(array);
  });

  test("keeps the elements and grows by half at least, so that adding one by one stays linear", () => {
    const array = grown(Int32Array.of(1, 2), 3, make);
    expect([...array.subarray(0, 3)]).toEqual([1, 2, 0]);
    expect(grown(array, array.length + 1, make).length).toBeGreaterThanOrEqual(array.length * 1.5);
    expect(grown(array, 1_000_000, make).length).toBe(1_000_000);
  });
});
