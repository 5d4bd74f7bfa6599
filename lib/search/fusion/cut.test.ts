import { describe, expect, test } from "bun:test";
import type { Matched } from "../keyword/exact-match.ts";
import { aboveFloor, FEWEST_HITS, isUnsure, supportedNeighbours } from "./cut.ts";
import { reciprocalRankFusion } from "./rrf.ts";

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
/** The cut; `matched`: what the first document of words holds of the query. */
const cut = ([first, ...others]: Hit[], vector: Hit[], matched?: Matched) => {
  const keyword = first === undefined ? [] : [{ ...first, ...(matched && { matched }) }, ...others];
  return supportedNeighbours({ keyword, vector }, 60);
};
const TITLED = { title: 1, passage: 0, opening: 0, known: 1 };

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

  test("where the first is what somebody has seen, neighbours count as far as words keep their order", () => {
    const vector = [...list(2, 1, 0.9, 0.9), ...list(900, 60, 0.8, 0.7), ...list(1, 1, 0.69, 0.69)];
    const first = (depth: number) =>
      reciprocalRankFusion(
        words.map(({ articleId }) => articleId),
        vector.slice(0, depth).map(({ articleId }) => articleId),
        60,
      )
        .slice(0, 10)
        .flatMap(({ keywordRank }) => keywordRank ?? []);
    expect(first(cut(words, vector))[0]).toBe(2);
    const kept = first(cut(words, vector, TITLED));
    expect(kept).toEqual(kept.map((_, i) => i + 1));
    expect(cut(words, vector, TITLED)).toBeLessThan(cut(words, vector));
    const agreeing = [...list(1, 1, 0.9, 0.9), ...vector.slice(0, -1)];
    expect(cut(words, agreeing, TITLED)).toBe(cut(words, agreeing));
  });

  test("the first has been seen where its title or a place of its text holds the query, or where it begins with it", () => {
    const vector = [...list(2, 1, 0.9, 0.9), ...list(900, 60, 0.8, 0.7), ...list(1, 1, 0.69, 0.69)];
    const depth = (matched: Partial<Matched>) =>
      cut(words, vector, { title: 0, passage: 0, opening: 0, known: 1, ...matched });
    expect(depth({ title: 1 })).toBeLessThan(cut(words, vector));
    expect(depth({ passage: 1 })).toBe(depth({ title: 1 }));
    expect(depth({ passage: 0.75, known: 0.8 })).toBe(depth({ title: 1 }));
    expect(depth({ title: 0.4, opening: 0.6, known: 0.6 })).toBe(depth({ title: 1 }));
    for (const matched of [{}, { title: 0.3, passage: 0.3, opening: 0.5 }, { title: 1, known: 0.2 }]) {
      expect(depth(matched)).toBe(cut(words, vector));
    }
  });

  test("of a query that quotes a phrase words keep their order, where all neighbours are their hits, however few", () => {
    const few = list(1, 9, 60, 10);
    const vector = [...list(3, 1, 0.5, 0.5), ...list(7, 1, 0.45, 0.45), ...list(1, 1, 0.4, 0.4)];
    const depth = (found: Hit[], quoted?: boolean) => supportedNeighbours({ keyword: few, vector: found, quoted }, 60);
    expect(depth(vector)).toBe(3);
    expect(depth(vector, true)).toBe(0);
    expect(depth([...vector, ...list(900, 1, 0.3, 0.3)], true)).toBe(4);
    const agreeing = list(1, 9, 0.9, 0.1);
    expect(depth(agreeing, true)).toBe(agreeing.length);
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

const hits = [0.55, 0.5, 0.4, 0.3].map((score, i) => ({ articleId: i + 1, score }));
const asked = { supports: [0, 0, 0], words: 4, articles: 500 };
const ids = (more: Partial<typeof asked> & { likeness?: number[] }) =>
  aboveFloor({ hits, ...asked, ...more }).map(({ articleId }) => articleId);

test("neighbours that say nothing of the query and are unlike it are none, else they are hits down to a share", () => {
  expect(ids({ likeness: [0, 0.1, 0] })).toEqual([]);
  expect(ids({ likeness: [0, 0, 0.5] })).toEqual([1, 2, 3]);
  expect(ids({ supports: [0, 1, 0], likeness: [0.1, 0.1, 0.1] })).toEqual([1, 2, 3]);
});

test("among more articles more evidence is needed, for a query of one or two words less", () => {
  const likeness = [0.3];
  expect(ids({ likeness, articles: 500 })).toEqual([]);
  expect(ids({ likeness, articles: 50 })).toEqual([1, 2, 3]);
  expect(ids({ likeness, articles: 500, words: 2 })).toEqual([1, 2, 3]);
  expect(ids({ likeness, articles: 500_000, words: 2 })).toEqual([]);
});

test("where no encoder can be asked, cosine and words decide, and nothing is above the floor of nothing", () => {
  expect(ids({ articles: 50 })).toEqual([1, 2, 3]);
  expect(ids({})).toEqual([]);
  expect(ids({ supports: [0.3, 0, 0] })).toEqual([1, 2, 3]);
  expect(aboveFloor({ ...asked, hits: [], supports: [] })).toEqual([]);
});

test("an encoder is asked only where it can change the answer", () => {
  const isAsked = (score: number, support: number) => isUnsure({ ...asked, hits: [{ score }], supports: [support] });
  expect(isAsked(0.3, 0)).toBe(true);
  expect(isAsked(0.7, 0.9)).toBe(false);
  expect(isAsked(0.02, 0)).toBe(false);
  // What says the whole query is not wholly unlike it.
  expect(isAsked(0.25, 1)).toBe(false);
  expect(isUnsure({ ...asked, hits: [{ score: 0.2 }], supports: [1], words: 2 })).toBe(true);
  expect(isAsked(0.45, 0.5)).toBe(true);
});
