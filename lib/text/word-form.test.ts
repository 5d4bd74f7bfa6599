import { expect, test } from "bun:test";
import { wordForm } from "./word-form.ts";
import { wordTerms } from "./word-terms.ts";

test.each([
  ["شاطىء", "شاطئ"],
  ["شيء", "شئ"],
  ["بريء", "برىء"],
  ["مليء", "ملئ"],
  ["مائة", "مئة"],
  ["بالمائة", "بالمئة"],
  ["ثلاثمائة", "ثلاثمئة"],
  ["خمسمائة", "خمسمئة"],
  ["ومائتين", "ومئتين"],
  ["المائوية", "المئوية"],
  ["Łódź", "lodz"],
  ["Sørensen", "sorensen"],
  ["Đoković", "dokovic"],
  ["Kılıçdaroğlu", "kilicdaroglu"],
  ["Encyclopædia", "encyclopaedia"],
  ["Œuvre", "oeuvre"],
  ["Straße", "strasse"],
])("%s is the same word as %s", (one, other) => {
  expect(wordForm(one)).toBe(wordForm(other));
  expect(wordTerms(one)).toEqual(wordTerms(other));
});

test("other words stay what they are", () => {
  for (const [one, other] of [
    ["مائدة", "مئدة"],
    ["دمائه", "دمئه"],
    ["مائل", "مئل"],
    ["جزاء", "جزئ"],
  ]) {
    expect(wordForm(one ?? "")).not.toBe(wordForm(other ?? ""));
  }
});

test("a word is found in the lexicon however it is spelled", () => {
  for (const word of ["شيء", "شاطىء", "بريء"])
    expect(wordTerms(word).lemmas.some((lemma) => lemma.startsWith("#"))).toBe(true);
});
