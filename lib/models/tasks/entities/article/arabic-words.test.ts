import { expect, test } from "bun:test";
import type { Entity } from "../aliases.ts";
import { readWordLists, withoutCommonEvents, wordList } from "./arabic-words.ts";

const event = (name: string, start = 0, type = "EVENT"): Entity => ({
  ...{ type, text: name, name, start, end: start + name.length, confidence: 0.9 },
});
const kept = (...mentions: Entity[]): string[] => withoutCommonEvents(mentions).map(({ name }) => name);

test("an event of many has neither article nor name", () => {
  expect(
    kept(
      event("حرب باردة"),
      event("معرض للفنون التشكيلية"),
      event("اتفاقية سلام"),
      event("الانتخابات التشريعية والبلدية"),
    ),
  ).toEqual([]);
});

test("an event with an article, a place or a number is one", () => {
  const names = ["الحرب الباردة", "حرب أكتوبر", "مؤتمر جنيف", "معركة الفلوجة"];
  expect(kept(...names.map((name) => event(name)))).toEqual(names);
  expect(kept(event("مهرجان سوسة"), event("سوسة", 7, "GPE"))).toEqual(["مهرجان سوسة", "سوسة"]);
});

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
