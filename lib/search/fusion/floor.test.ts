import { expect, test } from "bun:test";
import { aboveFloor, isUnsure } from "./floor.ts";

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
