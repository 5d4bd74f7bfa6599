import { expect, test } from "bun:test";
import { bCubed, changedPairs, pairScores, type Told } from "./stories.ts";

const told = (...rows: [lang: string, story: string, told: string][]): Told[] =>
  rows.map(([lang, story, into]) => ({ lang, story, told: into }));

// Two stories of two articles each; one article of the second was put into the first.
const MIXED = told(["en", "a", "1"], ["ar", "a", "1"], ["en", "b", "1"], ["en", "b", "2"]);

test("B³ is 1 for what is told right, and counts each article's own story", () => {
  expect(bCubed(told(["en", "a", "1"], ["en", "a", "1"], ["en", "b", "2"])).f1).toBe(1);
  const { precision, recall } = bCubed(MIXED);
  expect(precision).toBeCloseTo((2 / 3 + 2 / 3 + 1 / 3 + 1) / 4);
  expect(recall).toBeCloseTo((1 + 1 + 1 / 2 + 1 / 2) / 4);
});

test("pairs of one language and of two are counted apart", () => {
  expect(pairScores(MIXED, { across: false })).toMatchObject({ precision: 0, recall: 0 });
  expect(pairScores(MIXED, { across: true })).toMatchObject({ precision: 1 / 2, recall: 1 });
});

test("where nothing is joined, precision is 1", () => {
  expect(pairScores(told(["en", "a", "1"], ["en", "a", "2"]), { across: false })).toEqual({
    f1: 0,
    precision: 1,
    recall: 0,
  });
});

test("pairs that one telling has and the other has not are changed", () => {
  expect(changedPairs(["x", "x", "y"], [5, 5, 6])).toBe(0);
  expect(changedPairs(["x", "x", "x"], [5, 5, 6])).toBeCloseTo(2 / 3);
});
