import { expect, test } from "bun:test";
import { lettersOf, likelyWords } from "./likely-words.ts";
import { pieces, randomTexts } from "./testing.ts";
import { wordTerms } from "./word-terms.ts";
import { forEachWord } from "./words.ts";

test("a word is always likely for its own stems, whatever it is", () => {
  const words = ["dying", "Skies", "مَرَّاكُش", "وبالمدرسة", "ﻻ", "U.S.", "Café", "٢٠١٨", "x", "أيا", "universities"];
  for (const text of [...words, ...randomTexts(1000, pieces.scripts)]) {
    forEachWord(text, (start, end) => {
      const { stems } = wordTerms(text.slice(start, end));
      expect({ word: text.slice(start, end), likely: likelyWords(stems)(lettersOf(text, start, end)) }).toMatchObject({
        likely: true,
      });
    });
  }
});

test("most other words are not", () => {
  const likely = likelyWords(["مدرس"]);
  expect(likely(lettersOf("المدرسة", 0, 7))).toBe(true);
  expect(likely(lettersOf("كتاب", 0, 4))).toBe(false);
  expect(likely(lettersOf("school", 0, 6))).toBe(false);
});

test("all forms of an Arabic word are likely, whatever its weak letters and affixes become; those of few others are", () => {
  for (const [stem, forms] of Object.entries({
    جسر: ["الجسور", "وجسره", "بالجسرين"],
    قال: ["يقولون", "قلنا", "وسيقول"],
    اتفق: ["وسيتفقون", "الاتفاقية"],
    ٳطال: ["وٳطالة"],
  })) {
    const likely = likelyWords([stem]);
    for (const form of forms)
      expect({ form, likely: likely(lettersOf(form, 0, form.length)) }).toEqual({ form, likely: true });
    for (const other of ["حضر", "خرج"])
      if (stem !== "ٳطال") expect(likely(lettersOf(other, 0, other.length))).toBe(false);
  }
});

test("an Arabic word is not likely for words of other scripts", () => {
  expect(likelyWords(["harbour"])(lettersOf("الميناء", 0, 7))).toBe(false);
});
