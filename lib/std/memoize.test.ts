import { expect, test } from "bun:test";
import { memoize } from "./memoize.ts";

test("a value is computed once, but for words that are too long to keep", () => {
  const asked: string[] = [];
  const size = memoize((word) => asked.push(word) && word.length, { capacity: 10, longest: 3 });
  expect([size("abc"), size("abc"), size("long"), size("long")]).toEqual([3, 3, 4, 4]);
  expect(asked).toEqual(["abc", "long", "long"]);
});
