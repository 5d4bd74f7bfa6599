import { expect, test } from "bun:test";
import { readNames, namesAmong, namesApart } from "./names.ts";
import { readPolarity } from "./polarity.ts";
import { isSameWord, sharedWords, wordsOf } from "./words.ts";

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

test("names that one text lacks are counted", () => {
  const side = (text: string, names: string[]) => ({ words: words(text), names: readNames(names) });
  expect(namesApart(side("Ali came", ["Ali"]), side("Omar came", ["Omar"]))).toEqual({ ofA: 1, ofB: 1 });
  expect(namesApart(side("Iraqi oil", ["Iraqi"]), side("oil of Iraq", ["Iraq"]))).toEqual({ ofA: 0, ofB: 0 });
  expect(namesApart(side("The UN met", ["UN"]), side("It met", []))).toEqual({ ofA: 1, ofB: 0 });
});

test.each([
  ["Nobody voted for it and prices rose", true, { amount: 1 }],
  ["They ran out of bread", true, {}],
  ["أغلقت السلطات المعبر", false, { open: -1 }],
  ["لم تفرج عنه", true, { free: 1 }],
  ["Prices rose and then fell", false, { amount: 0 }],
])("the direction of %s", (text, negated, axes) => {
  const read = readPolarity(text, wordsOf(text).forms);
  expect([read.negated, Object.fromEntries(read.axes)]).toEqual([negated, axes]);
});
