import { expect, test } from "bun:test";
import { processorMs } from "../std/testing-processor.ts";
import { tokenise, tokenSentences } from "./tokens.ts";

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

test("takes time with the length of a word, however many characters of it are not seen", async () => {
  const word = `a${"\u00ad".repeat(100_000)}b`;
  expect(tokenise(`${word}\u00ad`)).toEqual([{ text: word, start: 0, end: word.length }]);
  expect(await processorMs(() => tokenise(word))).toBeLessThan(1_000);
});

test("a mark behind a link is none of it", () => {
  expect(texts("انظر https://x.example/a?b=1، و(www.y.example/z).")).toEqual([
    ...["انظر", "https://x.example/a?b=1", "،", "و", "(", "www.y.example/z", ")", "."],
  ]);
});

test("sentences are those of the splitter: titles and numbers end none, and what is not seen is no token", () => {
  const sentencesOf = (text: string) => tokenSentences(text).map((tokens) => tokens.map((token) => token.text));
  expect(sentencesOf("قال د. سعيد 12.5. نعم\u0000!\n\u0007\nلا")).toEqual([
    ["قال", "د", ".", "سعيد", "12.5", "."],
    ["نعم", "!"],
    ["لا"],
  ]);
  for (const text of ["", " ", "\n\t\u00a0", "\u200f\u200e", "\u0000"]) expect(tokenSentences(text)).toEqual([]);
});
