import { expect, test } from "bun:test";
import { processorMs } from "../../../std/testing-processor.ts";
import { procliticOf, sentenceTokens, tokenise } from "./tokens.ts";

const texts = (text: string) => tokenise(text).map((token) => token.text);

test("every token stands where it says", () => {
  const text = "قال ترامب: U.S. officials don't agree 😀, see http://x.example/a?b=1 (1,234.5)";
  for (const { text: token, start, end } of tokenise(text)) expect(text.slice(start, end)).toBe(token);
});

test("English clitics and possessives stand alone, hyphens and acronyms do not part a word", () => {
  expect(texts("Obama's don't e-mail U.S. AT&T")).toEqual(["Obama", "'s", "do", "n't", "e-mail", "U.S.", "AT&T"]);
});

test("links, addresses, handles, tags and numbers are one token each", () => {
  expect(texts("@bob #tag a.b@c.example www.x.example/y 1,234.5 12:30")).toEqual([
    "@bob",
    "#tag",
    "a.b@c.example",
    "www.x.example/y",
    "1,234.5",
    "12:30",
  ]);
});

test("Arabic parts from Latin and digits; diacritics and tatweel stay in their word", () => {
  expect(texts("لCNN و15 مُحَمَّــد،")).toEqual(["ل", "CNN", "و", "15", "مُحَمَّــد", "،"]);
});

test("marks that are not seen part nothing and end nothing", () => {
  expect(texts("\u200fبيروت\u200f \u202bهنا\u202c ab\u00adcd\u200b")).toEqual(["بيروت", "هنا", "ab\u00adcd"]);
});

test("a stretch of the text keeps its offsets", () => {
  expect(tokenise("one two three", 4, 7)).toEqual([{ text: "two", start: 4, end: 7 }]);
});

test("odd input has an answer", () => {
  expect(texts("")).toEqual([]);
  expect(texts("   \u200b\n")).toEqual([]);
  expect(texts("a")).toEqual(["a"]);
  expect(texts("\u0000\u0007")).toEqual(["\u0000", "\u0007"]);
  expect(texts("😀👨‍👩")).toEqual(["😀", "👨", "👩"]);
  expect(texts("\ud800x")).toEqual(["\ud800", "x"]);
  expect(texts("x".repeat(20_000))).toHaveLength(1);
});

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

test("takes time with the length of a word, however many characters of it are not seen", async () => {
  const word = `a${"\u00ad".repeat(100_000)}b`;
  expect(tokenise(`${word}\u00ad`)).toEqual([{ text: word, start: 0, end: word.length }]);
  expect(await processorMs(() => tokenise(word))).toBeLessThan(1_000);
});
