import { expect, test } from "bun:test";
import { processorMs } from "../std/testing-processor.ts";
import { analyse, countWords } from "./query.ts";
import { codePointSlice } from "./characters.ts";
import { highlight } from "./highlight.ts";
import { pieces, randomTexts } from "./testing.ts";
import { forEachSearchWord, forEachWord, groupsOf } from "./words.ts";

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

const forms = (text: string) => analyse(text).map(({ terms }) => terms.form);

test.each([
  ["iPhone17", "iPhone 17"],
  ["iPhone17Pro", "iphone 17 pro"],
  ["F-16", "F16"],
  ["S-400", "S400"],
  ["covid19", "Covid-19"],
  ["MBC1", "mbc 1"],
  ["10kg", "10 kg"],
  ["عبدالله", "عبد الله"],
  ["وعبدالرحمن", "وعبد الرحمن"],
])("%s is %s, apart or together", (together, apart) => expect(forms(together)).toEqual(forms(apart)));

test("names of code, ordinals and decades stay whole", () => {
  expect(forms("H1N1 B2B 20th 1st 1990s a1b2c3 3Com 3D PL480")).toEqual(
    "h1n1 b2b 20th 1st 1990s a1b2c3 3com 3d pl480".split(" "),
  );
  expect(forms("عبده عبدالي")).toEqual(["عبده", "عبدالي"]);
});

test("offsets are those of the text, and marks stand around what was found", () => {
  const text = "باع iPhone17 لعبدالله 😀 MBC1";
  expect(analyse(text).map(({ start, end }) => codePointSlice(text, start, end))).toEqual([
    ..."باع iPhone 17 لعبد الله MBC 1".split(" "),
  ]);
  expect(highlight(text, "MBC 1").snippet).toContain("<mark>MBC1</mark>");
  expect(highlight(text, "iphone 17").snippet).toContain("<mark>iPhone17</mark>");
  expect(highlight(text, "عبد الله").snippet).toContain("<mark>لعبدالله</mark>");
});

const stems = (text: string) => analyse(text).flatMap(({ terms }) => terms.stems);

test.each([
  ["73,200", "73200"],
  ["٧٣٬٢٠٠", "73200"],
  ["٧٣،٢٠٠", "73200"],
  ["۷۳٬۲۰۰", "73200"],
  ["73\u00a0200", "73200"],
  ["73\u2009200", "73200"],
  ["73\u202f200", "73200"],
  ["$1,234,567.", "1234567"],
  ["12,345.67", "12345"],
])("%s has the term of %s beside those of its groups", (text, number) => {
  expect(stems(text)).toContain(number);
  expect(stems(text)).toEqual(expect.arrayContaining(stems(text.replace(/[^\p{Nd}]/gu, " "))));
});

test.each(["3,5", "1,2,3", "0,500", "2019,2020", "1,23", "1,2,345", "1,000,00", "1.234,567", "73 200", "a1,000b"])(
  "%s is no number in groups",
  (text) => expect(forms(text).filter((form) => form.includes(","))).toEqual([]),
);

test("a number in groups counts as its groups, however it is written", () => {
  expect(countWords("دفع 73,200 دولار").length).toBe(countWords("دفع 73 200 دولار").length);
  expect(forms("٧٣٬٢٠٠")).toEqual(forms("73,200"));
});

test("a number in groups has the offsets of all of it, and is marked whole", () => {
  const text = "😀 cost 1,234,567 in all, not 567";
  const numbers = analyse(text).filter(({ terms }) => terms.stems.includes("1234567"));
  expect(numbers.map(({ start, end }) => codePointSlice(text, start, end))).toEqual(["1,234,567"]);
  for (const query of ["1234567", "1,234,567", "١٬٢٣٤٬٥٦٧", "234 1234567"]) {
    expect(highlight(text, query).snippet).toContain("cost <mark>1,234,567</mark> in all, not 567");
    expect(highlight(text, query, { fragmentLength: 5 }).fragments[0]).toContain("<mark>1,234,567</mark>");
  }
});

test("words come in order, do not overlap but for the last group of a number, and leave out no letter, whatever the text", () => {
  for (const text of [...randomTexts(500, pieces.scripts), "1,234,", "1,23", ",1,000", "1,000,00", "9,999,x"]) {
    let at = 0;
    forEachSearchWord(text, (start, end) => {
      if (groupsOf(text.slice(start, end)) === undefined) expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      expect(text.slice(at, Math.max(at, start))).not.toMatch(/(?!\u0640)[\p{L}\p{Nd}]/u);
      at = end;
    });
    expect(text.slice(at)).not.toMatch(/(?!\u0640)[\p{L}\p{Nd}]/u);
  }
});

test.each(["1,", "1,000,", "100,", "1.", "a1", "عبدال", "عبدالله", "١٬٠٠٠٬"])(
  "%j repeated takes time with its length",
  async (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(await processorMs(() => forEachSearchWord(text, () => {}))).toBeLessThan(50);
  },
);
