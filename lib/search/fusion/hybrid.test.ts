import { describe, expect, test } from "bun:test";
import { fuseHybrid } from "./hybrid.ts";

const near = (articleId: number, score: number) => ({ articleId, score, chunkNo: 0, start: 0, end: 1 });
const found = {
  keyword: [
    { articleId: 1, score: 16 },
    { articleId: 2, score: 8 },
  ],
  vector: [near(3, 0.9), near(2, 0.8), near(4, 0.5)],
};

describe("fuseHybrid()", () => {
  test("by ranks: the score is the sum over the branches of 1 / (k + rank)", () => {
    const { hits, cut } = fuseHybrid(found, { k: 60, fusion: "rrf" });
    expect(cut).toBe(3);
    expect(hits.map(({ articleId }) => articleId)).toEqual([2, 1, 3, 4]);
    for (const { keywordRank, vectorRank, score, rrfScore } of hits) {
      expect(score).toBe(rrfScore);
      expect(score).toBeCloseTo(1 / (60 + (keywordRank ?? Infinity)) + 1 / (60 + (vectorRank ?? Infinity)), 12);
    }
  });

  test("by scores: 0.2 · bm25 / √(best bm25) + 0.8 · cosine orders, the rest stays", () => {
    const { hits } = fuseHybrid(found, { k: 60, fusion: "score" });
    const expected = new Map([
      [1, 0.2 * 4 + 0.8 * 0.5],
      [2, 0.2 * 2 + 0.8 * 0.8],
      [3, 0.8 * 0.9],
      [4, 0.8 * 0.5],
    ]);
    expect(hits.map(({ articleId }) => articleId)).toEqual([1, 2, 3, 4]);
    for (const { articleId, score } of hits) expect(score).toBeCloseTo(expected.get(articleId) ?? Number.NaN, 12);
    const byRanks = fuseHybrid(found, { k: 60, fusion: "rrf" }).hits;
    for (const { articleId, rrfScore, keywordRank, vectorRank } of hits) {
      const same = byRanks.find((hit) => hit.articleId === articleId);
      expect([rrfScore, keywordRank, vectorRank]).toEqual([
        same?.score ?? 0,
        same?.keywordRank ?? null,
        same?.vectorRank ?? null,
      ]);
    }
  });

  test("the hits are the same with every fusion, and those beyond the cut are none", () => {
    const keyword = Array.from({ length: 30 }, (_, i) => ({ articleId: i + 1, score: 30 - i }));
    const vector = Array.from({ length: 100 }, (_, i) => near(i + 25, 0.3 - i / 10_000));
    const ranks = fuseHybrid({ keyword, vector }, { k: 60, fusion: "rrf" });
    const scores = fuseHybrid({ keyword, vector }, { k: 60, fusion: "score" });
    const ids = ({ hits }: typeof ranks) => hits.map(({ articleId }) => articleId).toSorted((a, b) => a - b);
    expect(ids(scores)).toEqual(ids(ranks));
    expect(ranks.cut).toBeLessThan(vector.length);
    const beyond = new Set(vector.slice(ranks.cut).map(({ articleId }) => articleId));
    for (const { articleId, vectorRank, keywordRank } of ranks.hits) {
      if (beyond.has(articleId)) expect([vectorRank, keywordRank === null]).toEqual([null, false]);
    }
  });

  test("one branch alone keeps its order", () => {
    expect(fuseHybrid({ keyword: [], vector: found.vector }, { k: 60, fusion: "score" }).hits).toHaveLength(3);
    const { hits } = fuseHybrid({ keyword: found.keyword, vector: [] }, { k: 60, fusion: "score" });
    expect(hits.map(({ articleId }) => articleId)).toEqual([1, 2]);
    expect(fuseHybrid({ keyword: [], vector: [] }, { k: 60, fusion: "rrf" })).toEqual({ hits: [], cut: 0 });
  });
});
