import { expect, test } from "bun:test";
import { readWordLists, wordList } from "./word-lists.ts";

test("a list may have several lines; notes and empty lines are passed over", () => {
  const lists = readWordLists("# notes\ncontest\tدوري|كأس\n\ncontest\tسوبر\n");
  expect(Array.from(lists, ([name, words]) => [name, ...words])).toEqual([["contest", "دوري", "كأس", "سوبر"]]);
});

test("an unknown list, a word without a list, and one that stands twice are refused", () => {
  expect(() => readWordLists("contests\tدوري")).toThrow();
  expect(() => readWordLists("دوري")).toThrow();
  expect(() => readWordLists("contest\tدوري\ncontest\tكأس|دوري")).toThrow("دوري stands twice in the list contest");
});

test("the lists that ship have words", () => {
  expect(wordList("institution").has("وزارة")).toBe(true);
  expect(wordList("nickname").has("أسود الأطلس")).toBe(true);
});
