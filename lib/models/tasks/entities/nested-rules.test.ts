import { expect, test } from "bun:test";
import { plausibleSpans } from "./nested-rules.ts";

/** Returns the spans of one entity in a sentence that are left, as their words, with the letters cut off. */
function left(text: string, type: string, start: number, end: number, cut = 0): [string, number][] {
  const words = text.split(" ");
  const spans = [{ type, start, end, probability: 0.9, cut }];
  return plausibleSpans(spans, words).map((span) => [words.slice(span.start, span.end).join(" "), span.cut]);
}

test.each([
  ["تحدث باللغة العربية أمس", 2],
  ["يتقن اللغتين الكردية والتركية", 2],
  ["ترجمت الرواية إلى الألمانية", 3],
  ["يتحدث الفارسية بطلاقة", 1],
])("a language is one: %s", (text, place) => {
  expect(left(text, "LANGUAGE", place, place + 1)).toHaveLength(1);
});

test.each([
  ["الجالية العربية في باريس", 1],
  ["الحكومة الفرنسية الجديدة", 1],
  ["المدرسة الثانوية القديمة", 1],
  ["الرياضية الجديدة", 0],
])("what is only said of a noun, or names none, is no language: %s", (text, place) => {
  expect(left(text, "LANGUAGE", place, place + 1)).toEqual([]);
});

test("of two languages the second is no adjective of the first", () => {
  const spans = [1, 2].map((start) => ({ type: "LANGUAGE", start, end: start + 1, probability: 0.9, cut: 0 }));
  expect(plausibleSpans(spans, ["اللغات", "العربية", "العبرية"])).toHaveLength(2);
});

test.each([
  ["محمد علي الملقب بالأسد", "محمد علي"],
  ["سمير قال إن", "سمير"],
  ["ليلى الشهيرة بأم", "ليلى"],
  ["خالد الذي وصل", "خالد"],
])("the name of a person ends before what he is called, says or does: %s", (text, name) => {
  expect(left(text, "PERS", 0, text.split(" ").length)).toEqual([[name, 0]]);
});

test("a name without such words stays whole, and so does an organisation", () => {
  expect(left("محمد بن سلمان", "PERS", 0, 3)).toEqual([["محمد بن سلمان", 0]]);
  expect(left("شركة قال للنشر", "ORG", 0, 3)).toEqual([["شركة قال للنشر", 0]]);
});

test("behind a preposition no other is cut off a name", () => {
  expect(left("في بيونغ يانغ", "GPE", 1, 3, 1)).toEqual([["بيونغ يانغ", 0]]);
  expect(left("قرب كوبنهاغن", "GPE", 1, 2, 1)).toEqual([["كوبنهاغن", 0]]);
  expect(left("سافر لبيروت", "GPE", 1, 2, 1)).toEqual([["لبيروت", 1]]);
  expect(left("من وباريس", "GPE", 1, 2, 1)).toEqual([["وباريس", 1]]);
});
