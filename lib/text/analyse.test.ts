import { expect, test } from "bun:test";
import { analyse, analyseQuery, countWords, queryWords } from "./analyse.ts";
import { codePointSlice } from "./characters.ts";
import { pieces, randomTexts } from "./testing.ts";

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

test("a query leaves stop words out, unless it has no other word", () => {
  expect(analyseQuery("ما هي عاصمة المغرب؟")).toEqual(analyseQuery("عاصمة المغرب"));
  expect(analyseQuery("what is the capital of Morocco")).toEqual(["capit", "morocco"]);
  expect(analyseQuery("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  expect(analyseQuery("من هو")).toEqual(["من", "هو"]);
  expect(analyseQuery("؟!")).toEqual([]);
});

test("a word asked for twice is asked for once", () => {
  expect(queryWords("المغرب والمغرب Morocco morocco")).toHaveLength(2);
});

test("countWords() counts the occurrences of each word", () => {
  const { counts, length } = countWords("كتاب كتاب قلم");
  expect(length).toBe(3);
  expect([...counts.values()].sort()).toEqual([1, 2]);
});
