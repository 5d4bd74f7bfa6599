import { describe, expect, test } from "bun:test";
import { seeded } from "../../std/random.ts";
import { at } from "../../std/mod.ts";
import { randomNumbers } from "./testing/random.ts";
import { kthLargest, Top } from "./top.ts";

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

describe("Top", () => {
  type Scored = { score: number; id: number; segment: number; doc: number };
  const ranked = (top: Top): Scored[] => {
    const { scores, ids, segments, docs } = top.ranking();
    return Array.from(ids, (id, i) => ({ score: at(scores, i), id, segment: at(segments, i), doc: at(docs, i) }));
  };
  const sorted = (all: readonly Scored[], k: number) =>
    all.toSorted((a, b) => b.score - a.score || b.id - a.id).slice(0, k);

  test.each([1, 2, 3, 7, 20, 100])("the best %d of many are those of a sort, with ties by descending id", (k) => {
    const random = randomNumbers(k);
    for (let round = 0; round < 40; round++) {
      // Few different scores: most are level with others.
      const levels = 1 + random(12);
      const all = Array.from({ length: random(9 * k) }, (_, i) => ({
        ...{ score: Math.fround(0.1 + random(levels) / 3), id: 10_000 + ((i * 7_919) % 9_973) },
        ...{ segment: random(60_000), doc: random(65_536) },
      }));
      const top = new Top(k);
      for (const { score, id, segment, doc } of all) top.add(score, id, segment, doc);
      expect(ranked(top)).toEqual(sorted(all, k));
    }
  });

  test("many that are level are put in order by id, those that come in order and those that do not", () => {
    for (const ids of [
      Array.from({ length: 50 }, (_, i) => i),
      Array.from({ length: 50 }, (_, i) => 50 - i),
      Array.from({ length: 12 }, (_, i) => (i * 5) % 12),
      Array.from({ length: 13 }, (_, i) => (i * 5) % 13),
    ]) {
      const top = new Top(50);
      for (const id of ids) top.add(1, id, 0, 0);
      expect(ranked(top).map(({ id }) => id)).toEqual(ids.toSorted((a, b) => b - a));
    }
  });

  test("what cannot be among the best any more is known once four times as many were met", () => {
    const top = new Top(2);
    for (const [i, score] of [5, 1, 4, 2, 3, 6, 7, 8].entries()) top.add(score, i, 0, 0);
    expect(top.least).toBe(0);
    top.add(0.5, 8, 0, 0);
    expect(top.least).toBe(7);
    top.add(7, 9, 0, 0);
    top.add(6.9, 10, 0, 0);
    expect(ranked(top).map(({ score, id }) => [score, id])).toEqual([
      [8, 7],
      [7, 9],
    ]);
  });

  test("nothing has no ranking, and one that is made after another holds nothing of it", () => {
    expect(ranked(new Top(3))).toEqual([]);
    const before = new Top(3);
    for (let id = 1; id <= 9; id++) before.add(id, id, 0, 0);
    const top = new Top(3);
    top.add(0.25, 77, 4, 5);
    expect(top.least).toBe(0);
    expect(ranked(top)).toEqual([{ score: 0.25, id: 77, segment: 4, doc: 5 }]);
  });

  test("ids above 32 bits keep their order", () => {
    const top = new Top(3);
    for (const id of [2 ** 40 + 1, 2 ** 40 + 3, 2 ** 40 + 2]) top.add(1, id, 0, 0);
    expect(ranked(top).map(({ id }) => id - 2 ** 40)).toEqual([3, 2, 1]);
  });
});
