import { expect, test } from "bun:test";
import { morphAnswer } from "./answer.ts";
import { openMorphology } from "./open.ts";
import { vowelForm } from "./vowel-form.ts";
import { hasMarks, isContradicted } from "./written-marks.ts";

const morphology = await openMorphology();

/** The lemma of a word in a sentence, and its voice. */
const read = (text: string, place: number) => {
  const { lemma = "", features } = morphAnswer(morphology, { text, all: false })[place] ?? {};
  return [vowelForm(lemma), features?.voice];
};

test("a vowel that is written decides between words with the same letters", () => {
  expect(read("تقع سلطنة عُمان في الجنوب", 2)).toEqual([vowelForm("عُمَان"), undefined]);
  expect(read("وصل الوفد إلى عَمّان", 3)).toEqual([vowelForm("عَمَّان"), undefined]);
  expect(read("قُتل جندي في الهجوم", 0)).toEqual([vowelForm("قَتَل"), "pass"]);
  expect(read("قَتل جندي رجلاً", 0)).toEqual([vowelForm("قَتَل"), "act"]);
  expect(read("كَتَبَ الوَلَدُ الدَّرْسَ", 2)[0]).toBe(vowelForm("دَرس"));
  expect(read("كَتَبَ الوَلَدُ الدَّرْسَ", 0)[0]).toBe(vowelForm("كَتَب"));
});

test("marks speak against a reading only where it has another one", () => {
  const oman = { prefix: "", stem: "عُمَان", ending: "", isVerb: false };
  expect(isContradicted("عُمان", oman)).toBe(false);
  expect(isContradicted("عمان", oman)).toBe(false);
  expect(isContradicted("عَمان", oman)).toBe(true);
  expect(isContradicted("عمّان", oman)).toBe(true);
  // The last vowel goes with case, and the shadda behind the article with the sun letter.
  expect(isContradicted("عُمانُ", { ...oman, stem: "عُمَانَ" })).toBe(false);
  expect(isContradicted("الشَّمس", { prefix: "ال", stem: "شَمس", ending: "", isVerb: false })).toBe(false);
  const sent = { prefix: "يُ", stem: "رسِل", ending: "", isVerb: true };
  expect([isContradicted("يُرسل", sent), isContradicted("يَرسل", sent)]).toEqual([false, true]);
  expect([isContradicted("يُرْسِل", sent), isContradicted("يُرسَل", sent)]).toEqual([false, true]);
  expect([hasMarks("عُمان"), hasMarks("عمان"), hasMarks("شكراً")]).toEqual([true, false, false]);
});
