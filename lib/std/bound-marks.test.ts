import { expect, test } from "bun:test";
import { boundMarks } from "./bound-marks.ts";

test("thirty marks on a letter are left, and what no letter has in any writing is not", () => {
  const vowelled = `${"بِسْمِ اللَّهِ الرَّحْمَٰنِ ".repeat(5)}e${"\u0301".repeat(30)}`;
  expect(boundMarks(vowelled)).toBe(vowelled);
  expect(boundMarks(`a${"\u064b\u0301".repeat(20)}b${"\u0301".repeat(31)}`)).toBe(
    `a${"\u064b\u0301".repeat(15)}b${"\u0301".repeat(30)}`,
  );
});
