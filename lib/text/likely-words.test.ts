import { expect, test } from "bun:test";
import { likelyWords } from "./likely-words.ts";
import { pieces, randomTexts } from "./testing.ts";
import { wordTerms } from "./word-terms.ts";
import { forEachWord } from "./words.ts";

test("a word is always likely for its own stems, whatever it is", () => {
  const words = ["dying", "Skies", "مَرَّاكُش", "وبالمدرسة", "ﻻ", "U.S.", "Café", "٢٠١٨", "x", "أيا", "universities"];
  for (const text of [...words, ...randomTexts(1000, pieces.scripts)]) {
    forEachWord(text, (start, end) => {
      const { stems } = wordTerms(text.slice(start, end));
      expect({ word: text.slice(start, end), likely: likelyWords(stems)(text, start, end) }).toMatchObject({
        likely: true,
      });
    });
  }
});

test("most other words are not", () => {
  const likely = likelyWords(["مدرس"]);
  expect(likely("المدرسة", 0, 7)).toBe(true);
  expect(likely("كتاب", 0, 4)).toBe(false);
  expect(likely("school", 0, 6)).toBe(false);
});
