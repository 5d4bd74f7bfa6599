import { describe, expect, test } from "bun:test";
import { FEWEST_HITS, supportedNeighbours } from "./cut.ts";

type Hit = { articleId: number; score: number };

/** So many hits of falling scores, from `best` on down to `last`, with ids from `first` on. */
function list(first: number, count: number, best: number, last: number): Hit[] {
  return Array.from({ length: count }, (_, i) => ({
    articleId: first + i,
    score: best - ((best - last) * i) / Math.max(1, count - 1),
  }));
}

const words = list(1, 40, 30, 5);
/** Neighbours that are all about as far as each other, among what the keyword branch found weakly. */
const flat = [...list(30, 11, 0.34, 0.3), ...list(500, 189, 0.3, 0.25)];
const cut = (keyword: Hit[], vector: Hit[]) => supportedNeighbours(keyword, vector, 60);

describe("supportedNeighbours()", () => {
  test("there is no cut where the keyword branch found few hits", () => {
    const few = list(20, FEWEST_HITS, 30, 5);
    expect(cut(few.slice(1), flat)).toBe(flat.length);
    expect(cut([], flat)).toBe(flat.length);
    expect(cut(few, flat)).toBeLessThan(flat.length);
  });

  test("where nothing is nearer than everything else, neighbours are no hits", () => {
    expect(cut(words, flat)).toBe(0);
  });

  test("a neighbour that both branches rank high is a hit", () => {
    expect(cut(words, [{ articleId: 2, score: 0.9 }, ...flat.slice(1)])).toBeGreaterThanOrEqual(1);
  });

  test("the nearest count down to the first that words found too: words say nothing of them", () => {
    const foreign = [...list(900, 3, 0.8, 0.7), ...flat];
    expect(cut(words, foreign)).toBeGreaterThanOrEqual(3);
    expect(cut(words, foreign)).toBeLessThan(foreign.length);
    expect(cut(words, list(900, 50, 0.8, 0.1))).toBe(50);
  });

  test("lists of any length and of equal scores have a cut within them", () => {
    for (const vector of [[], flat.slice(0, 1), flat.slice(0, 12), list(30, 20, 0, 0), list(30, 20, -0.1, -0.2)]) {
      for (const keyword of [words, list(1, 40, 0, 0)]) {
        const depth = cut(keyword, vector);
        expect(depth).toBeGreaterThanOrEqual(0);
        expect(depth).toBeLessThanOrEqual(vector.length);
      }
    }
  });
});
