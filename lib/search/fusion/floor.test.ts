import { expect, test } from "bun:test";
import { aboveFloor } from "./floor.ts";

const hits = [0.55, 0.5, 0.4, 0.3].map((score, i) => ({ articleId: i + 1, score }));
const ids = (supports: readonly number[], more: { articles?: number; isAlone?: boolean } = {}) =>
  aboveFloor({ hits, supports, articles: 1000, isAlone: true, ...more }).map(({ articleId }) => articleId);

test("near neighbours that say nothing of the query are none, those that say some of it are, down to a share", () => {
  expect(ids([0, 0, 0])).toEqual([]);
  expect(ids([0.2, 0, 0])).toEqual([1, 2, 3]);
  expect(ids([0, 0.3, 0])).toEqual([1, 2, 3]);
});

test("among more articles the nearest must be nearer", () => {
  expect(ids([0.1], { articles: 1_000 })).toEqual([1, 2, 3]);
  expect(ids([0.1], { articles: 1_000_000 })).toEqual([]);
  expect(ids([0], { articles: 50 })).toEqual([1, 2, 3]);
});

test("beside hits by word less is enough, and all of them stay", () => {
  expect(ids([0], { isAlone: false })).toEqual([1, 2, 3, 4]);
  const far = hits.map((hit) => ({ ...hit, score: hit.score - 0.3 }));
  expect(aboveFloor({ hits: far, supports: [0], articles: 1000, isAlone: false })).toEqual([]);
});

test("what is far is no hit, however much it says, and nothing is above the floor of nothing", () => {
  const far = [{ score: 0.15 }];
  expect(aboveFloor({ hits: far, supports: [1], articles: 10, isAlone: true })).toEqual([]);
  expect(aboveFloor({ hits: [], supports: [], articles: 0, isAlone: true })).toEqual([]);
});
