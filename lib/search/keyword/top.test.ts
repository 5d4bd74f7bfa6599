import { describe, expect, test } from "bun:test";
import { seeded } from "../../std/random.ts";
import { kthLargest } from "./top.ts";

describe("kthLargest()", () => {
  test("agrees with sorting, with repeated values and infinities too", () => {
    const random = seeded(4);
    for (let round = 0; round < 300; round++) {
      const values = Float64Array.from({ length: 1 + Math.floor(random() * 60) }, () =>
        random() < 0.2 ? Number.NEGATIVE_INFINITY : Math.floor(random() * 20),
      );
      const sorted = values.toSorted().reverse();
      for (const k of [1, Math.ceil(values.length / 2), values.length]) {
        expect(kthLargest(values.slice(), k)).toBe(sorted[k - 1] ?? 0);
      }
    }
  });

  test("is minus infinity when there are fewer values", () => {
    expect(kthLargest(Float64Array.of(1, 2), 3)).toBe(Number.NEGATIVE_INFINITY);
    expect(kthLargest(new Float64Array(), 1)).toBe(Number.NEGATIVE_INFINITY);
  });

  test("takes sorted, reversed and equal values in linear time", () => {
    const n = 200_000;
    expect(
      kthLargest(
        Float64Array.from({ length: n }, (_, i) => i),
        10,
      ),
    ).toBe(n - 10);
    expect(
      kthLargest(
        Float64Array.from({ length: n }, (_, i) => n - i),
        10,
      ),
    ).toBe(n - 9);
    expect(kthLargest(new Float64Array(n).fill(3), n / 2)).toBe(3);
  });
});
