import { expect, test } from "bun:test";
import { patternOf } from "./pattern.ts";

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
