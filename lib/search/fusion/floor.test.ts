import { expect, test } from "bun:test";
import { aboveFloor } from "./floor.ts";

const hits = [0.55, 0.5, 0.4, 0.3].map((score, i) => ({ articleId: i + 1, score }));
const ids = (supports: readonly number[], more: { articles?: number } = {}) =>
  aboveFloor({ hits, supports, articles: 1000, ...more }).map(({ articleId }) => articleId);

test("near neighbours that say nothing of the query are none, those that say some of it are, down to a share", () => {
  expect(ids([0, 0, 0])).toEqual([]);
  expect(ids([0.2, 0, 0])).toEqual([1, 2, 3]);
  expect(ids([0, 0.3, 0])).toEqual([1, 2, 3]);
});

test("among more articles the nearest must be nearer", () => {
  expect(ids([0.1], { articles: 1_000 })).toEqual([1, 2, 3]);
  expect(ids([0.1], { articles: 1_000_000 })).toEqual([]);
  expect(ids([0], { articles: 50 })).toEqual([1, 2, 3]);
  expect(ids([0], { articles: 500 })).toEqual([]);
});

test("what is far is no hit, however much it says, and nothing is above the floor of nothing", () => {
  const far = [{ score: 0.15 }];
  expect(aboveFloor({ hits: far, supports: [1], articles: 10 })).toEqual([]);
  expect(aboveFloor({ hits: [], supports: [], articles: 0 })).toEqual([]);
});

test("among few articles a question that nothing answers has no hits, nor has nonsense", () => {
  const near = (score: number, support: number) =>
    aboveFloor({ hits: [{ score }, { score: 0.2 }], supports: [support, 0], articles: 50 });
  expect(near(0.35, 0.2)).toEqual([]);
  expect(near(0.35, 0.4)).toHaveLength(1);
  expect(near(0.5, 0)).toHaveLength(1);
  expect(near(0.181, 1)).toEqual([]);
});
