import { expect, test } from "bun:test";
import { Dictionary } from "./column.ts";

test("Dictionary gives each word one code from 1, and 0 to no word", () => {
  const words = new Dictionary();
  expect(["a", "b", "a", null, "", "__proto__"].map((word) => words.code(word))).toEqual([1, 2, 1, 0, 3, 4]);
  expect(words.values()).toEqual(["a", "b", "", "__proto__"]);
});
