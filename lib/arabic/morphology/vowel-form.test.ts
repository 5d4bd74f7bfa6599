import { expect, test } from "bun:test";
import { vowelForm } from "./vowel-form.ts";

test("lemmas are one form however long vowels, sukun, initial alef and endings are written", () => {
  for (const [a, b] of [
    ["كِتَاب", "كِتاب"],
    ["اِنتِقَال", "ٱنْتِقال"],
    ["كَبِير", "كَبير"],
    ["بَيْنَ", "بَين"],
    ["حَالَة", "حالة"],
  ] as const)
    expect(vowelForm(a)).toBe(vowelForm(b));
});

test("lemmas that differ in a short vowel or a doubled letter stay apart", () => {
  for (const [a, b] of [
    ["دَعَم", "دَعَّم"],
    ["عِلم", "عَلَم"],
    ["إِنَّ", "أَنَّ"],
    ["عَلَى", "عَلِيّ"],
  ] as const)
    expect(vowelForm(a)).not.toBe(vowelForm(b));
});
