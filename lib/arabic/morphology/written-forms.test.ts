import { describe, expect, test } from "bun:test";
import { morphAnswer } from "./answer.ts";
import { openMorphology } from "./model.ts";
import {
  bareForm,
  hasMarks,
  isContradicted,
  lettersOf,
  patternOf,
  plainSpelling,
  vowelForm,
  vowelled,
  withoutMarks,
} from "./written-forms.ts";

describe("plainSpelling()", () => {
  test.each([
    ["a hamza beside its letter", "ا\u0654حمد وا\u0655لى", "أحمد وإلى"],
    ["presentation forms", "ﺍﻟﻌﺮﺑﻴﺔ", "العربية"],
    ["a ligature of one word", "ﻻعب", "لاعب"],
    ["alef wasla", "ٱلْكِتَٰب", "الْكِتَٰب"],
    ["characters that are not seen", "\ufeffال\u200dعر\u00adبية\u200f", "العربية"],
    ["the Arabic percent sign", "٪", "%"],
    ["nothing of what is plain", "العـربيَّة", "العـربيَّة"],
  ])("takes %s for what the lexicon writes", (_, written, plain) => {
    expect(plainSpelling(written.split(" ")[0] ?? "")).toBe(plain.split(" ")[0] ?? "");
    expect(written.split(" ").map(plainSpelling).join(" ")).toBe(plain);
  });

  test("leaves what stands for several words, and what is not seen alone", () => {
    expect(plainSpelling("ﷺ")).toBe("ﷺ");
    expect(plainSpelling("\u200f")).toBe("\u200f");
  });

  test("takes no longer for ten thousand marks on a letter", () => {
    expect(plainSpelling(`ك${"\u064e\u0651".repeat(5_000)}`).length).toBeLessThan(40);
  });
});

describe("withoutMarks() and bareForm()", () => {
  test("keep the hamza of a letter, and fold it", () => {
    expect(withoutMarks("ا\u0654َحْمَـــدُ")).toBe("أحمد");
    expect(bareForm("ا\u0654َحْمَـــدُ")).toBe("احمد");
  });

  test("give nothing, and the word itself, where there are marks alone", () => {
    expect(withoutMarks("\u0651")).toBe("");
    expect(bareForm("\u0651")).toBe("\u0651");
  });
});

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

test.each([
  ["كِتاب", "كتب", "فِعال"],
  ["مَكتُوب", "كتب", "مَفعُول"],
  ["مَدرَسَة", "درس", "مَفعَلَة"],
  ["تَعلِيم", "علم", "تَفعِيل"],
  ["اِجتِماع", "جمع", "اِفتِعال"],
  ["اِنفِجار", "فجر", "اِنفِعال"],
  ["سُؤال", "سءل", "فُعال"],
  ["دَحرَج", "دحرج", "فَعلَل"],
])("%s of %s is %s", (word, root, pattern) => expect(patternOf(word, root)).toBe(pattern));

test.each([
  ["مُمكِن", "مكن", "مُفعِل"],
  ["مُمَثِّل", "مثل", "مُفَعِّل"],
  ["مُمارَسَة", "مرس", "مُفاعَلَة"],
  ["تَتابُع", "تبع", "تَفاعُل"],
  ["اِستِسلام", "سلم", "اِستِفعال"],
  ["مُستَسلِم", "سلم", "مُستَفعِل"],
])("%s of %s is %s: its first letter is no radical, though the same", (word, root, pattern) => {
  expect(patternOf(word, root)).toBe(pattern);
});

test.each([
  ["مَلِك", "ملك", "فَعِل"],
  ["تَمر", "تمر", "فَعل"],
  ["أَمَل", "ءمل", "فَعَل"],
  ["اِنتِصار", "نصر", "اِفتِعال"],
  ["اِستِلام", "سلم", "اِفتِعال"],
  ["مُنتَخَب", "نخب", "مُفتَعَل"],
  ["لُبنان", "لبن", "فُعلان"],
])("%s of %s is %s: what looks like a prefix is a radical", (word, root, pattern) => {
  expect(patternOf(word, root)).toBe(pattern);
});

test("a weak or doubled radical that is not written, and a root of less than three, give none", () => {
  for (const [word, root] of [
    ["قَال", "قول"],
    ["مُستَمِرّ", "مرر"],
    ["صِلَة", "وصل"],
    ["أَب", "ءب"],
    ["", "كتب"],
    ["كِتاب", ""],
  ] as const) {
    expect(patternOf(word, root)).toBeUndefined();
  }
});

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
