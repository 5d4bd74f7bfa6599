import { describe, expect, test } from "bun:test";
import { isSameWord, namesAmong, namesApart, readNames, sharedWords, wordsOf } from "./names.ts";

const words = (text: string) => wordsOf(text).words;
const same = (a: string, b: string): boolean => {
  const [first, second] = [words(a)[0], words(b)[0]];
  return first !== undefined && second !== undefined && isSameWord(first, second);
};

test("words that say something are read, numbers and function words are not, up to a bound", () => {
  expect(words("The prices of 40 houses rose").map(({ form }) => form)).toEqual(["prices", "houses", "rose"]);
  expect(wordsOf("word ".repeat(500)).forms).toHaveLength(80);
  expect(words("")).toEqual([]);
});

test.each([
  ["prices", "price", true],
  ["الأسعار", "أسعار", true],
  ["كتب", "مكتوب", true],
  ["unemployment", "البطالة", true],
  ["Mahmoud", "محمود", true],
  ["Zelensky", "Zelenskyy", true],
  ["prices", "taxes", false],
  ["بغداد", "الموصل", false],
  ["انتخابات", "elections", true],
  ["الوزير", "minister", true],
  ["أوباما", "Obama", true],
  ["Macron", "ماكرون", true],
  ["Merkel", "ميركل", true],
  ["Netanyahu", "نتنياهو", true],
  ["Sisi", "السيسي", true],
  ["Khamenei", "خامنئي", true],
  ["school", "مدرسة", true],
  ["المدارس", "مدرسة", true],
  ["hospital", "مستشفى", true],
  ["price", "أسعار", true],
  ["rose", "fell", false],
  ["ارتفعت", "انخفضت", false],
  ["Paris", "بغداد", false],
  ["Putin", "Biden", false],
  ["schools", "prisons", false],
])("%s and %s", (a, b, expected) => {
  expect(same(a, b)).toBe(expected);
  expect(same(b, a)).toBe(expected);
});

test("two texts are told which of their words the other has", () => {
  const { inA, inB } = sharedWords(words("Prices rose sharply"), words("The price rose"));
  expect(inB).toEqual([true, true, false]);
  expect(inA).toEqual([true, true]);
});

test("names are those of people, places and bodies, and what every country has is none", () => {
  const found = [
    { type: "PERS", name: "علي حسن" },
    { type: "DATE", name: "الاثنين" },
    { type: "ORG", name: "parliament" },
    { type: "PERS", name: "علي حسن" },
  ];
  expect(namesAmong(found)).toEqual(["علي حسن", "parliament"]);
  expect(readNames(["parliament", "central bank", "OPEC", "12"]).map(({ key }) => key)).toEqual(
    ["opec", "12"].slice(0, 1),
  );
});

describe("names that one text lacks are counted", () => {
  const side = (text: string, names: string[]) => ({ words: words(text), names: readNames(names) });
  const apart = (a: string, b: string) => namesApart(side(a, [a]), side(b, [b]));

  test.each([
    ["Ali", "Omar"],
    ["محمد علي", "محمد حسن"],
    ["Barack Obama", "Michelle Obama"],
    ["Lebanon", "Libya"],
    ["Moscow", "Kyiv"],
  ])("%s and %s are two", (a, b) => {
    expect(apart(a, b)).toEqual({ ofA: 1, ofB: 1 });
  });

  test.each([
    ["Iraqi", "Iraq"],
    ["القاهرة", "مصر"],
    ["Riyadh", "السعودية"],
    ["EU", "الاتحاد الأوروبي"],
    ["WHO", "منظمة الصحة العالمية"],
    ["حزب الله", "Hezbollah"],
    ["Donald Trump", "ترامب"],
    ["سوريا", "السوريون"],
    ["UNICEF", "اليونيسف"],
    ["محمد علي", "محمد علي"],
  ])("%s and %s are one", (a, b) => {
    expect(apart(a, b)).toEqual({ ofA: 0, ofB: 0 });
  });

  test("where the other text has none", () => {
    expect(namesApart(side("The UN met", ["UN"]), side("It met", []))).toEqual({ ofA: 1, ofB: 0 });
    expect(namesApart(side("Sunak said so", []), side("x", ["Rishi Sunak"]))).toEqual({ ofA: 0, ofB: 0 });
  });
});
