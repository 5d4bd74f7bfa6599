import { expect, test } from "bun:test";
import { nestedEntities } from "./nested.ts";
import { tokenise } from "../../../text/sentences.ts";

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
