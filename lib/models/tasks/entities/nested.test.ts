import { expect, test } from "bun:test";
import { tokenise } from "../../../text/sentences.ts";
import { nestedEntities, nestedText, plausibleSpans } from "./nested.ts";

/** The first word of a text as an entity, of which `cut` letters stand before it. */
function first(text: string, cut: number, known: readonly string[] = []) {
  const tokens = tokenise(text, 0, text.length);
  const spans = [{ type: "ORG", start: 0, end: 1, probability: 1, cut }];
  const rank = new Map(known.map((word, i) => [word, i]));
  return nestedEntities(text, [{ tokens, spans }], rank).map(({ text, start, end }) => [text, start, end]);
}

test("the sign of a hashtag is no part of an entity, and the letters before it are counted after the sign", () => {
  expect(first("#الفيصلي فاز", 0)).toEqual([["الفيصلي", 1, 8]]);
  expect(first("#والفيصلي فاز", 1)).toEqual([["الفيصلي", 2, 9]]);
});

test("a conjunction or preposition is left out where a word is left", () => {
  expect(first("ولبنان", 1, ["لبنان"])).toEqual([["لبنان", 1, 6]]);
  expect(first("ول", 1)).toEqual([["ول", 0, 2]]);
});

test("a name that is not known without its ف, or would begin with a letter that begins no word, keeps it", () => {
  expect(first("فيرجل فان دايك", 1)).toEqual([["فيرجل", 0, 5]]);
  expect(first("فؤاد معصوم", 1, ["واد"])).toEqual([["فؤاد", 0, 4]]);
  expect(first("فلبنان", 1, ["لبنان"])).toEqual([["لبنان", 1, 6]]);
});

test("a preposition before the article is left out where the word is known without it, also if the tagger kept it", () => {
  const known = ["القاهره", "المعلمين"];
  expect(first("بالقاهرة", 0, known)).toEqual([["القاهرة", 1, 8]]);
  expect(first("وَبِالقاهرة", 0, known)).toEqual([["القاهرة", 4, 11]]);
  expect(first("للمعلمين", 0, known)).toEqual([["لمعلمين", 1, 8]]);
  for (const [name, rest] of [
    ["بالي", "الي"],
    ["بالمر", "المر"],
    ["بالون", "الون"],
    ["للي", "الي"],
  ] as const) {
    expect(first(name, 0, [rest])).toEqual([[name, 0, name.length]]);
  }
});

test("the article alone, before a number, is no entity", () => {
  for (const article of ["الـ", "والـ", "بالـ", "للـ", "الــ"]) expect(first(`${article} 16`, 0)).toEqual([]);
  expect(first("الـمدينة", 0)).toEqual([["الـمدينة", 0, 8]]);
});

test("a word that is not known without its joined ب, ل or ك begins with that letter; a joined و leaves it", () => {
  for (const word of ["بنقلية", "لنقلية", "كنقلية", "وبنقلية"]) {
    const cut = word.startsWith("و") ? 2 : 1;
    expect(first(word, cut)).toEqual([[word, 0, word.length]]);
    expect(first(word, cut, ["نقليه"])).toEqual([["نقلية", cut, word.length]]);
  }
  expect(first("ونقلية", 1)).toEqual([["نقلية", 1, 6]]);
  expect(first("سنقلية", 1)).toEqual([["نقلية", 1, 6]]);
});

test("no preposition is cut off before what would be and with a more frequent word", () => {
  expect(first("بوروسيا دورتموند", 1, ["روسيا", "وروسيا"])).toEqual([["بوروسيا", 0, 7]]);
  expect(first("بواحد", 1, ["في", "احد", "من", "واحد"])).toEqual([["واحد", 1, 5]]);
  expect(first("بواشنطن", 1, ["واشنطن"])).toEqual([["واشنطن", 1, 7]]);
});

test("a joined letter stays on a word that is known with it alone", () => {
  expect(first("ونقلية", 1, ["ونقليه"])).toEqual([["ونقلية", 0, 6]]);
  expect(first("بنقلية", 1, ["بنقليه", "نقليه"])).toEqual([["نقلية", 1, 6]]);
});

test("an entity in another has its level, one after it begins at the top again", () => {
  const tokens = tokenise("جامعة القاهرة الجديدة فازت", 0, 26);
  const spans = [
    { type: "ORG", start: 0, end: 2, probability: 0.9, cut: 0 },
    { type: "GPE", start: 1, end: 2, probability: 0.8, cut: 0 },
    { type: "ORG", start: 3, end: 4, probability: 0.7, cut: 0 },
  ];
  const entities = nestedEntities("جامعة القاهرة الجديدة فازت", [{ tokens, spans }], new Map());
  expect(entities.map(({ type, level, confidence }) => [type, level, confidence])).toEqual([
    ["ORG", 0, 0.9],
    ["GPE", 1, 0.8],
    ["ORG", 0, 0.7],
  ]);
});

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

test("no particle ends a name", () => {
  expect(left("رئيس أفغانستان ل", "OCC", 0, 3)).toEqual([["رئيس أفغانستان", 0]]);
  expect(left("محمد علي", "PERS", 0, 2)).toEqual([["محمد علي", 0]]);
});

test("a name is of one kind in all of a text, the likelier one", async () => {
  const span = (type: string, probability: number) => [{ type, start: 0, end: 2, probability, cut: 0 }];
  const model = { nested: async () => [span("GPE", 0.9), span("PERS", 0.6)], rank: new Map<string, number>() };
  const { entities } = await nestedText(model, "سيدي بوزيد مدينة.\nسيدي بوزيد اليوم.");
  expect(entities.map(({ type, name }) => [type, name])).toEqual([
    ["GPE", "سيدي بوزيد"],
    ["GPE", "سيدي بوزيد"],
  ]);
});
