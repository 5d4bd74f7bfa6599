import { expect, test } from "bun:test";
import { highlight } from "./highlight.ts";
import { lettersOf } from "./likely-words.ts";
import { ScannedText } from "./scanned-text.ts";

test("the words of a text are found once, with where they stand and their letters", () => {
  const text = "The harbour, عاد الميناء";
  const scanned = new ScannedText(text);
  const { starts, ends, letters } = scanned.words;
  const words = Array.from(starts, (start, i) => text.slice(start, ends[i]));
  expect(words).toEqual(["The", "harbour", "عاد", "الميناء"]);
  expect(Array.from(letters)).toEqual(words.map((word) => lettersOf(word, 0, word.length)));
  expect(scanned.words).toBe(scanned.words);
});

test("a scanned text is highlighted as the text is, for every query", () => {
  const text = `${"The council met again. ".repeat(20)}The harbour of عكا reopened <b>. ${"x ".repeat(40_000)}harbour`;
  const scanned = new ScannedText(text);
  for (const query of ["harbour", "عكا reopens", "nothing here", ""]) {
    expect(highlight(scanned, query)).toEqual(highlight(text, query));
  }
  expect(highlight(scanned, "harbour").fragments).toHaveLength(1);
});
