import { expect, test } from "bun:test";
import { pieces, randomTexts } from "./testing.ts";
import { forEachWord } from "./words.ts";

/** A letter or digit other than tatweel, which is none alone. */
const LETTER = /(?!\u0640)[\p{L}\p{N}]/u;

function split(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(text.slice(start, end)));
  return words;
}

test("words are runs of letters, digits and marks", () => {
  expect(split("زار الوزير، أمس، مدينةَ مَرَّاكُش (2018).")).toEqual(["زار", "الوزير", "أمس", "مدينةَ", "مَرَّاكُش", "2018"]);
  expect(split("COVID-19 hit 3.5% of G20 #عاصي_الحلاني")).toEqual([
    "COVID",
    "19",
    "hit",
    "3",
    "5",
    "of",
    "G20",
    "عاصي",
    "الحلاني",
  ]);
});

test("tatweel and zero-width characters lie within a word, marks of direction at its end do not belong to it", () => {
  expect(split("مـــراكش می\u200cخواهم كلمة\u200f. \u202bنص\u202c")).toEqual([
    "مـــراكش",
    "می\u200cخواهم",
    "كلمة",
    "نص",
  ]);
  expect(split("so\u00adft e\u0301te\u0301")).toEqual(["so\u00adft", "e\u0301te\u0301"]);
});

test("Arabic letters part from Latin ones and from digits", () => {
  expect(split("لCNN و15 ال16 ٢٠١٨م")).toEqual(["ل", "CNN", "و", "15", "ال", "16", "٢٠١٨", "م"]);
});

test("apostrophes and the stops of acronyms do not part a word", () => {
  expect(split("don't 'quoted' dogs' U.S. e.g. U.S.A. John F. Kennedy")).toEqual([
    "don't",
    "quoted",
    "dogs",
    "U.S",
    "e.g",
    "U.S.A",
    "John",
    "F",
    "Kennedy",
  ]);
  expect(split("end.Start 1.2.3 a.b.cd الجزيرة.نت")).toEqual([
    "end",
    "Start",
    "1",
    "2",
    "3",
    "a.b",
    "cd",
    "الجزيرة",
    "نت",
  ]);
});

test("characters of scripts without spaces stand alone, emoji are no words", () => {
  expect(split("中国abc \u{1F600}\u{20000}x")).toEqual(["中", "国", "abc", "\u{20000}", "x"]);
});

test("lone surrogates and nothing at all are no words", () => {
  expect(split("\ud800 a\udc00b")).toEqual(["a", "b"]);
  expect(split("")).toEqual([]);
});

test("words lie in order, do not overlap, and hold every letter and digit, whatever the text", () => {
  for (const text of randomTexts(2000, pieces.scripts)) {
    let at = 0;
    forEachWord(text, (start, end) => {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      expect(text.slice(at, start)).not.toMatch(LETTER);
      at = end;
    });
    expect(text.slice(at)).not.toMatch(LETTER);
  }
});
