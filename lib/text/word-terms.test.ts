import { expect, test } from "bun:test";
import { pieces, randomTexts } from "./testing.ts";
import { COARSE, wordTerms, wordTermsAt } from "./word-terms.ts";
import { forEachWord } from "./words.ts";

test("an Arabic word has a stem and its root", () => {
  expect(wordTerms("والمكتشفين")).toMatchObject({ stems: ["مكتشف"], coarse: [`${COARSE}كشف`], stop: false });
});

test("spellings of a foreign name share their consonants", () => {
  expect(wordTerms("لنيوزيلند").coarse).toEqual(wordTerms("نيوزيلندا").coarse);
});

test("an English word has a stem alone", () => {
  expect(wordTerms("Elections")).toMatchObject({
    ...{ form: "elections", stems: ["elect"], coarse: [], lemmas: ["election"], stop: false },
  });
});

test("stop words are told in any spelling, and keep their form", () => {
  expect(wordTerms("إلى")).toMatchObject({ stems: ["الي"], coarse: [], stop: true });
  expect(wordTerms("The").stop).toBe(true);
  expect(wordTerms("المغرب").stop).toBe(false);
});

test("a character that stands for several words has the terms of all", () => {
  expect(wordTerms("ﷺ").stems.length).toBeGreaterThan(1);
});

test("the same word is the same object, wherever it stands", () => {
  expect(wordTermsAt("في المغرب", 3, 9)).toBe(wordTerms("المغرب"));
});

test("a word of any length and kind has terms without spaces, none of a stem's kind among the roots", () => {
  expect(wordTerms("ا".repeat(10_000)).stems[0]?.length).toBeLessThanOrEqual(64);
  for (const text of randomTexts(1000, pieces.scripts)) {
    forEachWord(text, (start, end) => {
      const { stems, coarse } = wordTermsAt(text, start, end);
      for (const stem of stems) expect(stem).not.toMatch(/^~|\s|^$/u);
      for (const root of coarse) expect(root).toMatch(/^~\S+$/u);
    });
  }
});
