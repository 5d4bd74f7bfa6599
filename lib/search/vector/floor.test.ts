import { expect, test } from "bun:test";
import { Floor } from "./floor.ts";
import { seeded } from "./testing.ts";

/** The k-th best of the articles, each by its best row. */
function kth(least: Float64Array, articles: Uint32Array, k: number): number {
  const best = new Map<number, number>();
  least.forEach((value, i) => {
    const article = articles[i] ?? 0;
    best.set(article, Math.max(value, best.get(article) ?? Number.NEGATIVE_INFINITY));
  });
  return [...best.values()].sort((a, b) => b - a)[k - 1] ?? Number.NEGATIVE_INFINITY;
}

test("Floor is at most what k articles reach, and little less, search after search", () => {
  const random = seeded(32);
  const floor = new Floor();
  for (let round = 0; round < 200; round++) {
    const size = 1 + Math.floor(random() * 400);
    const articles = Uint32Array.from({ length: size }, () => random() * 150);
    const least = Float64Array.from({ length: size }, () => (random() < 0.1 ? 1 : random() * 2 - 1));
    const rows = Uint32Array.from({ length: size }, (_, row) => row);
    const k = 1 + Math.floor(random() * 60);
    floor.begin(k, 150);
    for (let from = 0; from < size; from += 64) {
      floor.raise(least, from, Math.min(size, from + 64), rows, articles);
      const wanted = kth(least.subarray(0, Math.min(size, from + 64)), articles, k);
      expect(floor.value).toBeLessThanOrEqual(wanted);
      expect(floor.value === wanted || wanted - floor.value < 0.0006).toBe(true);
    }
    floor.forget(rows, size, articles);
  }
});

test("Floor counts rows where it is told of no articles", () => {
  const floor = new Floor();
  floor.begin(3, 0);
  floor.raise(Float64Array.of(0.25, 0.5), 0, 2);
  expect(floor.value).toBe(Number.NEGATIVE_INFINITY);
  floor.raise(Float64Array.of(0.5, -0.5, 0.75), 0, 3);
  expect(floor.value).toBe(0.5);
});

test("Floor stays below rows that reach no cosine at all, and above 1 counts as 1", () => {
  const floor = new Floor();
  floor.begin(2, 0);
  floor.raise(Float64Array.of(-1.01, -1.5, 0.5), 0, 3);
  expect(floor.value).toBe(Number.NEGATIVE_INFINITY);
  floor.raise(Float64Array.of(1.5, 9), 0, 2);
  expect(floor.value).toBe(1);
});
