import { expect, test } from "bun:test";
import { procliticOf, sentenceTokens } from "./tokens.ts";

const rank = new Map(["فرنسا", "العراق", "السعوديه", "لبنان", "بغداد", "بنان", "وليد"].map((word, i) => [word, i]));

test("conjunction and preposition are found where the rest is known and more frequent", () => {
  expect(procliticOf("وفرنسا", rank)).toEqual({ letters: 1, rest: "فرنسا" });
  expect(procliticOf("بالعراق", rank)).toEqual({ letters: 1, rest: "العراق" });
  expect(procliticOf("وبفرنسا", rank)).toEqual({ letters: 2, rest: "فرنسا" });
});

test("لل gives the article its alef back", () => {
  expect(procliticOf("للسعوديه", rank)).toEqual({ letters: 1, rest: "السعوديه" });
  expect(procliticOf("للبنان", rank)).toEqual({ letters: 1, rest: "لبنان" });
});

test("a letter that belongs to the name stays", () => {
  expect(procliticOf("بغداد", rank)).toBeUndefined();
  expect(procliticOf("لبنان", rank)).toBeUndefined();
  expect(procliticOf("وليد", rank)).toBeUndefined();
  expect(procliticOf("London", rank)).toBeUndefined();
});

test("a word that is not far more frequent than the name it ends is no name", () => {
  const words = new Map([
    ["يصل", 1_000],
    ["يلي", 3_000],
    ["فيصل", 5_800],
    ["ليلي", 6_500],
    ["محمد", 50],
    ["ومحمد", 600],
  ]);
  expect(procliticOf("فيصل", words)).toBeUndefined();
  expect(procliticOf("ليلي", words)).toBeUndefined();
  expect(procliticOf("ومحمد", words)).toEqual({ letters: 1, rest: "محمد" });
});

test("a hashtag is read as the words it is made of, where they stand", () => {
  const text = "قال #عاصي_الحلاني إن #Beirut جميلة";
  const tokens = sentenceTokens(text).flat();
  expect(tokens.map((token) => token.text)).toEqual(["قال", "عاصي", "الحلاني", "إن", "Beirut", "جميلة"]);
  for (const { text: word, start, end } of tokens) expect(text.slice(start, end)).toBe(word);
});
