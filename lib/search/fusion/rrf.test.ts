import { describe, expect, test } from "bun:test";
import { IdFilter, reciprocalRankFusion } from "./rrf.ts";

const ids = (fused: { articleId: number }[]) => fused.map((f) => f.articleId);

describe("reciprocalRankFusion()", () => {
  test("adds 1 / (k + rank) over the lists, ranks from 1", () => {
    const [first, second, third] = reciprocalRankFusion([7, 8], [8, 9], 60);
    expect(first).toEqual({ articleId: 8, keywordRank: 2, vectorRank: 1, score: 1 / 62 + 1 / 61 });
    expect(second).toEqual({ articleId: 7, keywordRank: 1, vectorRank: null, score: 1 / 61 });
    expect(third).toEqual({ articleId: 9, keywordRank: null, vectorRank: 2, score: 1 / 62 });
  });

  test("puts the keyword hit first when two documents have the same score and the same best rank", () => {
    expect(ids(reciprocalRankFusion([1, 2], [3, 4], 60))).toEqual([1, 3, 2, 4]);
    expect(ids(reciprocalRankFusion([1, 2], [2, 1], 60))).toEqual([1, 2]);
  });

  test("puts the better single rank first among equal scores", () => {
    // With k = 1: 1/2 for rank 1 alone; 1/4 + 1/4 for rank 3 in both.
    const fused = reciprocalRankFusion([10, 11, 12], [20, 21, 12], 1);
    expect(fused.filter((f) => f.score === 0.5).map((f) => f.articleId)).toEqual([10, 20, 12]);
  });

  test("keeps one list as it is when the other is empty", () => {
    expect(ids(reciprocalRankFusion([3, 1, 2], [], 60))).toEqual([3, 1, 2]);
    expect(ids(reciprocalRankFusion([], [3, 1, 2], 60))).toEqual([3, 1, 2]);
    expect(reciprocalRankFusion([], [], 60)).toEqual([]);
  });

  test("counts a document once a list, at its best place", () => {
    expect(reciprocalRankFusion([5, 5, 6], [6, 6], 60)).toEqual([
      { articleId: 6, keywordRank: 3, vectorRank: 1, score: 1 / 63 + 1 / 61 },
      { articleId: 5, keywordRank: 1, vectorRank: null, score: 1 / 61 },
    ]);
  });

  test("gives a total order: no two documents of any two lists are left tied", () => {
    for (let seed = 1; seed < 200; seed++) {
      const shuffled = (salt: number) =>
        Array.from({ length: 12 }, (_, i) => i)
          .filter((i) => (i * 7 + seed * salt) % 5 !== 0)
          .sort((a, b) => ((a * seed * salt) % 13) - ((b * seed * salt) % 13) || a - b);
      const forward = reciprocalRankFusion(shuffled(3), shuffled(11), 60);
      for (const [i, f] of forward.entries()) {
        const next = forward[i + 1];
        if (next === undefined || next.score !== f.score) continue;
        const best = (x: typeof f) => Math.min(x.keywordRank ?? Infinity, x.vectorRank ?? Infinity);
        const decided = best(f) < best(next) || (f.keywordRank ?? Infinity) < (next.keywordRank ?? Infinity);
        expect(decided).toBe(true);
      }
    }
  });

  test("sums that are equal as fractions are ties, however they are rounded: the better single rank goes first", () => {
    expect(1 / 63 + 1 / 140).toBeLessThan(1 / 84 + 1 / 90);
    const list = (places: Record<number, number>) =>
      Array.from({ length: 80 }, (_, i) => Object.entries(places).find(([, at]) => at === i + 1)?.[0] ?? 1000 + i);
    const keyword = list({ 1: 3, 2: 24 }).map(Number);
    const vector = list({ 1: 80, 2: 30 }).map((id) => (Number(id) < 1000 ? Number(id) : Number(id) + 1000));
    const order = reciprocalRankFusion(keyword, vector, 60).map(({ articleId }) => articleId);
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
  });
});

test("an id that was added always passes, and few others do", () => {
  const filter = new IdFilter();
  const added = Array.from({ length: 200 }, (_, i) => i * 104_729 + 2 ** 40 * (i % 3));
  for (const id of added) filter.add(id);
  expect(added.every((id) => filter.mayHold(id))).toBe(true);
  const others = Array.from({ length: 10_000 }, (_, i) => 3 * i + 50_000_000);
  expect(others.filter((id) => filter.mayHold(id)).length).toBeLessThan(300);
});
