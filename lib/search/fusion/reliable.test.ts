import { describe, expect, test } from "bun:test";
import { reliableVectorHits } from "./reliable.ts";

const hits = (...scores: [articleId: number, score: number][]) =>
  scores.map(([articleId, score]) => ({ articleId, score }));
const kept = (keyword: ReturnType<typeof hits>, vector: ReturnType<typeof hits>) =>
  reliableVectorHits(keyword, vector).map(({ articleId }) => articleId);
/** So many hits of the same nearness, of articles that no other list has. */
const flat = (count: number, score: number) =>
  Array.from({ length: count }, (_, i) => ({ articleId: 1000 + i, score }));

describe("reliableVectorHits()", () => {
  test("a branch that found nothing, or was not asked, leaves the other's hits as they are", () => {
    const vector = hits([1, 0.9], [2, 0.8]);
    expect(reliableVectorHits([], vector)).toEqual(vector);
    expect(reliableVectorHits(hits([1, 5]), [])).toEqual([]);
  });

  test("what the keyword branch found weakly does not count twice", () => {
    expect(kept(hits([1, 10], [2, 8], [3, 2]), hits([1, 0.6], [3, 0.55], [2, 0.5]))).toEqual([1, 2]);
  });

  test("what it did not find counts when it is at least as near as what it found strongly", () => {
    const keyword = hits([1, 10], [2, 3]);
    expect(kept(keyword, hits([9, 0.6], [1, 0.55], [8, 0.4]))).toEqual([9, 1]);
    expect(kept(keyword, hits([1, 0.6], [9, 0.5]))).toEqual([1]);
  });

  test("all hits count where words do not decide, meaning does, and for something else", () => {
    const vector = hits([9, 0.9], [3, 0.5], [1, 0.4], [2, 0.3]);
    expect(kept(hits([1, 10], [2, 9.5], [3, 1]), vector)).toEqual([9, 3, 1, 2]);
    // words decide
    expect(kept(hits([1, 10], [2, 5], [3, 1]), vector)).toEqual([9, 1]);
    // meaning does not
    const undecided = [...hits([9, 0.9]), ...flat(12, 0.8), ...hits([3, 0.5], [1, 0.4], [2, 0.3])];
    expect(kept(hits([1, 10], [2, 9.5], [3, 1]), undecided)).not.toContain(3);
  });

  test("the nearest count where the vector branch is sure, and not where it is not alike or the list is flat", () => {
    const keyword = hits([1, 10], [2, 3]);
    const sure = hits([1, 0.8], [2, 0.7], [9, 0.62], [8, 0.5]);
    expect(kept(keyword, sure)).toEqual([1, 2, 9]);
    expect(
      kept(
        keyword,
        sure.map(({ articleId, score }) => ({ articleId, score: score / 2 })),
      ),
    ).toEqual([1]);
    expect(
      kept(
        keyword,
        [...sure, ...flat(12, 0.65)].sort((a, b) => b.score - a.score),
      ),
    ).toEqual([1]);
  });

  test("keeps the order of the vector branch, and its hits' own numbers", () => {
    const vector = [
      { articleId: 2, score: 0.9, chunkNo: 4 },
      { articleId: 1, score: 0.8, chunkNo: 0 },
    ];
    expect(reliableVectorHits(hits([1, 10], [2, 9]), vector)).toEqual(vector);
  });
});
