import { expect, test } from "bun:test";
import { codePointSlice } from "./characters.ts";
import { analyse, countWords, hasSyntax, parseQuery, queryWords } from "./query.ts";
import { pieces, randomTexts } from "./testing.ts";

const NONE = { words: [], phrases: [] };

test("quoted phrases are found in three kinds of quotes, wherever they begin", () => {
  expect(parseQuery('of "one two" and «ثلاثة أربعة» “five”')).toEqual({
    text: 'of "one two" and «ثلاثة أربعة» “five”',
    phrases: ["one two", "ثلاثة أربعة", "five"],
    excluded: NONE,
    others: "of   and    ",
  });
  expect(parseQuery('بـ"ذا فويس"')).toMatchObject({ phrases: ["ذا فويس"], others: "بـ " });
});

test("words and phrases after a minus are excluded, and are no part of the text", () => {
  expect(parseQuery('harbour -quiet -"a b" -«c»')).toEqual({
    text: "harbour   ",
    phrases: [],
    excluded: { words: ["quiet"], phrases: ["a b", "c"] },
    others: "harbour   ",
  });
  expect(parseQuery("-2018").excluded.words).toEqual(["2018"]);
});

test("marks of direction beside a minus change nothing", () => {
  for (const query of ["\u200f-وزير", "رئيس \u200f-وزير", "رئيس -\u200fوزير", "\u202bرئيس -\u2067وزير"]) {
    expect(parseQuery(query).excluded.words.map((word) => word.replace(/[\u202c\u2069]/g, ""))).toEqual(["وزير"]);
  }
  expect(parseQuery('رئيس \u200f-\u200f"وزير المالية"').excluded.phrases).toEqual(["وزير المالية"]);
  expect(parseQuery("a\u200f-b").excluded).toEqual(NONE);
});

test("everything else is no syntax", () => {
  for (const text of ["a - b", "a-b", "--a", '5" wide', "«open", 'close" only', '""', '"!"', "a OR b*", "title:a ~b"]) {
    expect(parseQuery(text)).toEqual({ text, phrases: [], excluded: NONE, others: text });
  }
});

test("what is left of a query has no syntax but phrases", () => {
  for (const query of ['x -y "z w" -"q r"', "-a -b", '"a" -"b', ""]) {
    const { text, phrases } = parseQuery(query);
    expect(parseQuery(text)).toMatchObject({ text, phrases, excluded: NONE });
  }
});

test("in a text of more words than a headline has nothing is syntax", () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");
  const long = `${words(17)} "a phrase" -out`;
  expect(parseQuery(long)).toEqual({ text: long, phrases: [], excluded: NONE, others: long });
  const headline = parseQuery(`${words(16)} "a phrase" -out`);
  expect(headline).toMatchObject({ phrases: ["a phrase"], excluded: { words: ["out"], phrases: [] } });
  expect([hasSyntax(headline), hasSyntax(parseQuery(long)), hasSyntax(parseQuery("-out"))]).toEqual([
    true,
    false,
    true,
  ]);
});

const stems = (text: string) => analyse(text).flatMap(({ terms }) => terms.stems);

test("spellings of one word have one stem", () => {
  for (const spellings of [
    ["مراكش", "مَرَّاكُش", "مـــراكش", "ﻣﺮﺍﻛﺶ"],
    ["الأحمد", "الاحمد", "أحمد", "وأحمد"],
    ["المدرسة", "مدرسه", "والمدرسة", "بالمدرسة", "للمدرسة"],
    ["٢٠١٨", "2018", "۲۰۱۸"],
    ["Café", "CAFE", "cafés"],
    ["U.S.", "US"],
  ]) {
    expect({ spellings, stems: new Set(spellings.map((word) => stems(word).join(" "))).size }).toEqual({
      spellings,
      stems: 1,
    });
  }
});

test("tokens carry the offsets of the original in code points, whatever the text", () => {
  expect(analyse("\u{1F600} مَرَّاكُش!").map(({ start, end, text }) => ({ start, end, text }))).toEqual([
    { start: 2, end: 11, text: "مَرَّاكُش" },
  ]);
  for (const text of randomTexts(1000, pieces.scripts)) {
    for (const token of analyse(text)) expect(codePointSlice(text, token.start, token.end)).toBe(token.text);
  }
});

const stemsOf = (query: string) => queryWords(query).flatMap(({ terms }) => terms.stems);

test("a query leaves stop words out, unless it has no other word", () => {
  expect(stemsOf("ما هي عاصمة المغرب؟")).toEqual(stemsOf("عاصمة المغرب"));
  expect(stemsOf("what is the capital of Morocco")).toEqual(["capit", "morocco"]);
  expect(stemsOf("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  expect(stemsOf("من هو")).toEqual(["من", "هو"]);
  expect(stemsOf("؟!")).toEqual([]);
});

test("a word asked for twice is asked for once", () => {
  expect(queryWords("المغرب والمغرب Morocco morocco")).toHaveLength(2);
});

test("countWords() counts the occurrences of each word", () => {
  const { counts, length } = countWords("كتاب كتاب قلم");
  expect(length).toBe(3);
  expect([...counts.values()].sort()).toEqual([1, 2]);
});
