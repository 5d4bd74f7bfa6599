import { expect, test } from "bun:test";
import { createLemmaForms } from "./lemma-forms.ts";
import { openAnalyser } from "./open.ts";
import { vowelForm } from "./vowel-form.ts";

const { lexicon, rules, candidates } = openAnalyser();
const formsOf = createLemmaForms(lexicon, rules);

/** The forms of the lemma of a word. */
function read(word: string): string[] {
  const lemma = candidates(word)[0]?.analysis?.lemma;
  return lemma === undefined ? [] : formsOf(lemma).map(vowelForm);
}

const forms = (...words: string[]): string[] => words.map(vowelForm);

test("the forms of a noun are whole words: singular, feminine, broken and sound plurals", () => {
  expect(read("المدرسة")).toEqual(forms("مَدارِس", "مَدرَسَة"));
  expect(read("الوزير")).toEqual(forms("وُزَراء", "وَزِير", "وَزِيرَة", "وَزِيرَات"));
  expect(read("المستشفى")).toEqual(forms("مُستَشفَى", "مُستَشفَيَات"));
  expect(read("القاضي")).toEqual(forms("قاضِي", "قُضاة"));
});

test("the forms of a verb are perfect and imperfect, active and passive", () => {
  expect(read("يعود")).toEqual(expect.arrayContaining(forms("عَاد", "يَعُود", "عِيد", "يُعَاد")));
  expect(read("دعا")).toEqual(expect.arrayContaining(forms("دَعَا", "يَدعُو", "دُعِي", "يُدعَى")));
});

test("a word that is not inflected has its stems", () => {
  expect(read("جدا")).toEqual(forms("جِدًّا"));
  expect(read("هذا")).toEqual(expect.arrayContaining(forms("هَٰذَا", "هَٰذِهِ")));
});
