import { expect, test } from "bun:test";
import { tokenise } from "./tokenise.ts";

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
