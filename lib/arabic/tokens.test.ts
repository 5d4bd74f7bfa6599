import { describe, expect, test } from "bun:test";
import { hashOf, tokensOf } from "./tokens.ts";

const written = (text: string): string[] => tokensOf(text).map(({ token }) => token);

describe("tokensOf()", () => {
  test.each([
    ["words and signs", "كتب، ثم قرأ!", ["كتب", "،", "ثم", "قرأ", "!"]],
    ["several signs in a row", "«لا…»؟!", ["«", "لا", "…", "»", "؟", "!"]],
    ["clitics stay with their word", "وبكتابهم", ["وبكتابهم"]],
    ["tatweel and vowels stay in their word", "كتـــابٌ", ["كتـــابٌ"]],
    ["digits of both scripts", "١٢ و12", ["١٢", "و", "12"]],
    ["characters outside of the basic plane", "𝒳😀", ["𝒳", "😀"]],
    [
      "numbers, dates, tags and addresses are one token",
      "12.5% 3/4/2018 #القدس a@b.example",
      ["12.5", "%", "3/4/2018", "#القدس", "a@b.example"],
    ],
    ["what is not seen is no token", "\ufeffكتب\u200f \u2067في\u2069", ["كتب", "في"]],
  ])("%s", (_, text, tokens) => expect(written(text)).toEqual(tokens));

  test("gives none for a text without anything to see", () => {
    for (const text of ["", " ", "\n\t\u00a0", "\u200f\u200e", "\u0000"]) expect(tokensOf(text)).toEqual([]);
  });

  test("counts offsets in code points of the text as it was given", () => {
    const text = "😀 كَتَبَ\u200f 𝒳";
    const points = [...text];
    for (const { token, start, end } of tokensOf(text)) expect(points.slice(start, end).join("")).toBe(token);
    expect(tokensOf(text).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [2, 8],
      [10, 11],
    ]);
  });

  test("begins a sentence behind full stop, question mark, exclamation mark, ellipsis or line, and not behind a comma", () => {
    const sentencesOf = (text: string): number[] => tokensOf(text).map(({ sentence }) => sentence);
    for (const end of [".", "!", "?", "؟", "…"]) expect(sentencesOf(`نعم${end} لا`)).toEqual([0, 0, 1]);
    expect(sentencesOf("نعم\nلا")).toEqual([0, 1]);
    expect(sentencesOf("نعم، لا؛ ربما")).toEqual([0, 0, 0, 0, 0]);
  });

  test("numbers sentences without gaps, however many lines and signs are between", () => {
    expect(tokensOf("\n\nنعم\n\n\nلا\n").map(({ sentence }) => sentence)).toEqual([0, 1]);
    expect(tokensOf("نعم...\nلا").map(({ sentence }) => sentence)).toEqual([0, 0, 1]);
  });
});

test("the hash is that of FNV-1a, 32 bits without a sign", () => {
  // http://www.isthe.com/chongo/tech/comp/fnv/ has these values.
  expect(hashOf("")).toBe(0x811c9dc5);
  expect(hashOf("a")).toBe(0xe40c292c);
  expect(hashOf("foobar")).toBe(0xbf9cf968);
});

test("texts that differ in a letter, or in order, have other hashes", () => {
  const texts = ["كتب", "كتاب", "بتك", "كتب ", " كتب", "كَتب"];
  expect(new Set(texts.map(hashOf)).size).toBe(texts.length);
});
