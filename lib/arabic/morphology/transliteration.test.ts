import { expect, test } from "bun:test";
import { lettersOf, vowelled } from "./transliteration.ts";

test.each([
  ["kitAb", "كِتاب"],
  ["madorasap", "مَدرَسَة"],
  ["mu&am~ir", "مُؤَمِّر"],
  [">aroqAm", "أَرقام"],
  ["<ilaY", "إِلَى"],
  ["|xar", "آخَر"],
  ["{isotaqAl", "اِستَقال"],
  ["$ay'", "شَيء"],
  ["vil*", "ثِلذ"],
  ["h`*A", "هٰذا"],
  ["bayotFA", "بَيتًا"],
])("%s is %s with its vowels", (text, arabic) => {
  expect(vowelled(text).normalize("NFC")).toBe(arabic.normalize("NFC"));
});

test("shadda stands before its vowel, and sukun is not written", () => {
  expect(vowelled("mud~a")).toBe("مُد\u0651\u064e");
  expect(vowelled("muda~")).toBe(vowelled("mud~a"));
  expect(vowelled("qalob")).not.toContain("\u0652");
});

test("an alef of length carries no vowel, another letter does", () => {
  expect(vowelled("qAala")).toBe("قالَ");
  expect(vowelled("qaAl")).toBe("قَال");
});

test("the letters are those of the vowelled form without its marks", () => {
  for (const text of ["kitAb", "mu&am~ir", "{isotaqAl", "h`*A", "bayotFA", "$ay'"]) {
    expect(lettersOf(text)).toBe(vowelled(text).replace(/\p{M}/gu, ""));
  }
});

test("what is no letter of the transliteration is left out", () => {
  expect(lettersOf("ki-tAb 1")).toBe("كتاب");
  expect(vowelled("")).toBe("");
});
