import { expect, test } from "bun:test";
import { attackOn, isBelieved, patternProblems, unboundedOf, verdictKey } from "./check-patterns.ts";

test("patterns that take more than linear time are found, with a text that shows it", async () => {
  for (const literal of ["/\\/+$/", "/\\s+(?:and|or)\\s+/"]) {
    expect([literal, await attackOn(literal)]).toEqual([literal, expect.any(String)]);
  }
}, 300_000);

test("others are not", async () => {
  for (const literal of ["/^[a-z]+$/", "/\\s+/g", "/(?:a|b){2}c?/", "/[*+]\\{2,}/", "/^\\d{1,16}$/"]) {
    expect([literal, await attackOn(literal)]).toEqual([literal, undefined]);
  }
}, 300_000);

const found = { file: "a.ts", line: 3, literal: "/x+$/" };
const entry = { file: "a.ts", literal: "/x+$/", bound: "At most 60 characters." };
const attacks = new Map([["/x+$/", "'x'.repeat(9)"]]);

test("one is a problem unless an entry of its file says what bounds it", () => {
  expect(patternProblems([found], attacks, [])).toEqual([expect.stringMatching(/^a\.ts:3: .*'x'\.repeat\(9\)/)]);
  expect(patternProblems([found], attacks, [entry])).toEqual([]);
  expect(patternProblems([found], attacks, [{ ...entry, file: "b.ts" }])).toHaveLength(2);
});

test("an entry whose pattern is gone is a problem; one whose pattern is not accused today is none", () => {
  expect(patternProblems([], new Map(), [entry])).toHaveLength(1);
  expect(patternProblems([found], new Map([["/x+$/", null]]), [entry])).toEqual([]);
});

test("what an entry bounds needs no analysis, the same pattern in another file does", () => {
  expect(unboundedOf([found, { ...found, file: "b.ts" }], [entry])).toEqual([{ ...found, file: "b.ts" }]);
});

test("a verdict of the file is of one pattern, and is analysed again on one day of twenty", () => {
  expect(verdictKey("/a+b/")).not.toBe(verdictKey("/a+b/i"));
  const days = Array.from({ length: 40 }, (_, day) => isBelieved(verdictKey("/a+b/"), day * 86_400_000));
  expect(days.filter((believed) => !believed)).toHaveLength(2);
});
