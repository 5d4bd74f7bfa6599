import { expect, test } from "bun:test";
import { createLexicon } from "./lexicon.ts";
import { lemmaId } from "./lemma-id.ts";

const LEMMAS = [
  "kitAb\tnoun\tكتب\tbook | letter\t152",
  "katab\tverb\tكتب\twrite\t160",
  "bayot\tnoun\tبيت\thouse\t140",
  "",
];
const STEMS = ["بيت\tbayot,2,2", "كتاب\tkitAb,1,0", "كتب\tkutub,a,0;katab,3,1", ""];
const PLACES = "حلب\t30\t2\nتعز\t9\t0";
const lexicon = createLexicon(LEMMAS.join("\n"), STEMS.join("\n"), PLACES);

test("a lemma has its form, part of speech, root, gloss and cost", () => {
  expect(lexicon.lemma(0)).toEqual({
    id: 0,
    form: "kitAb",
    pos: "noun",
    root: "كتب",
    gloss: "book | letter",
    cost: 15.2,
  });
});

test("a word has the stems that are written so, with the numbers of signature and lemma in base 36", () => {
  expect(lexicon.stems("كتب")).toEqual([
    { form: "kutub", signature: 10, lemma: 0 },
    { form: "katab", signature: 3, lemma: 1 },
  ]);
  expect(lexicon.stems("كتب")).toBe(lexicon.stems("كتب"));
  expect(lexicon.stems("بيت")).toHaveLength(1);
});

test("what is in no line has no stems: not a part of one, nor nothing", () => {
  for (const letters of ["كت", "كتابة", "", "kutub", "\t"]) expect(lexicon.stems(letters)).toEqual([]);
});

test("a lemma has all of its stems, also those that are written otherwise, and is found by its number", () => {
  expect(lexicon.stemsOf(lexicon.lemma(0)).map(({ form }) => form)).toEqual(["kitAb", "kutub"]);
  expect(lexicon.lemmaById(lemmaId(lexicon.lemma(1)))).toBe(lexicon.lemma(1));
  expect(lexicon.lemmaById(7)).toBeUndefined();
});

test("the odds of a place are above 1 where it is meant more often than something else", () => {
  expect(lexicon.placeOdds("حلب")).toBeCloseTo(30.5 / 3, 9);
  expect(lexicon.placeOdds("تعز")).toBeCloseTo(9.5, 9);
  expect(lexicon.placeOdds("بيت")).toBeUndefined();
  expect(createLexicon("", "").placeOdds("حلب")).toBeUndefined();
});
