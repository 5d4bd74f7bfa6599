import { expect, test } from "bun:test";
import { highlight } from "./highlight.ts";
import { lettersOf, likelyWords, ScannedText } from "./scanned-text.ts";
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
