import { expect, test } from "bun:test";
import type { TreebankWord } from "../../lib/arabic/lexicon-files.ts";
import type { Candidate } from "../../lib/arabic/morphology/candidates.ts";
import { type MorphModel, openMorphology } from "../../lib/arabic/morphology/model.ts";
import { evalMorph, evalSpeech } from "./morph.ts";

const parts = await openMorphology();
const word = (form: string, lemma: string, pos: string, forms: string, clitics: string) => ({
  ...{ form, lemmas: [lemma], pos: [pos] },
  ...{ forms: [forms], clitics: [clitics] },
});

test("a word counts as right in each respect by itself, and as whole only in all of them", () => {
  const house = word("بيتي", "بيت", "NOUN", "ms", "_+ي");
  const sentence = [house, word("جديد", "جديد", "ADJ", "fs", "_")];
  const { figures, size } = evalSpeech(parts, [sentence]);
  expect(size).toBe(2);
  expect(figures).toEqual({ lemma: 1, UPOS: 1, "gender and number": 0.5, clitics: 1, whole: 0.5 });
  expect(evalSpeech(parts, [[{ ...house, lemmas: ["باب"], clitics: ["_"] }]]).figures).toMatchObject({
    ...{ lemma: 0, clitics: 0, whole: 0 },
  });
});

test("no sentence cannot be measured", () => {
  expect(() => evalSpeech(parts, [])).toThrow(RangeError);
});

const reading = (lemma: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ analyses: [], lemma, pos: "noun", before: "", after: "", cost: 0, ...more },
});
/** Reads every word as its own lemma and a noun, but for what is told. */
const readingAs = (told: Record<string, { upos?: string; best?: Candidate; first?: Candidate }> = {}): MorphModel => ({
  read: (words) =>
    words.map((form) => {
      const { upos = "NOUN", best = reading(form), first = best } = told[form] ?? {};
      return { best: { upos, candidate: best }, candidates: [first, best] };
    }),
  candidates: () => [],
  uposOf: () => "NOUN",
});
const gold = (form: string, lemma = form, upos = "NOUN", more: Partial<TreebankWord> = {}): TreebankWord => ({
  ...{ form, lemma, upos, ...more },
});
const evaluated = (model: MorphModel, ...sentences: TreebankWord[][]) => evalMorph(model, parts.lexicon, sentences);

test("parts of speech are counted over all words, lemmas over those in Arabic letters", () => {
  const model = readingAs({ "2024": { upos: "NUM" }, قلم: { best: reading("كتاب") } });
  const { size, upos, lemma, predictions } = evaluated(
    model,
    [gold("بيت"), gold("2024", "2024", "NUM"), gold(".", ".", "PUNCT")],
    [gold("قلم"), gold("NATO", "حلف", "X")],
  );
  expect([size, upos, lemma]).toEqual([5, 3 / 5, 1 / 2]);
  expect(predictions).toEqual([
    "بيت\tبيت\tNOUN",
    "2024\t2024\tNUM",
    ".\t.\tNOUN",
    "قلم\tكتاب\tNOUN",
    "NATO\tNATO\tNOUN",
  ]);
});

test("lemmas are compared by their bare letters; vowels are a figure of words whose gold lemma has them", () => {
  const model = readingAs({ بيت: { best: reading("بَيْت") }, قلم: { best: reading("قِلْم") } });
  const { lemma, vowels } = evaluated(model, [gold("بيت", "بَيْت"), gold("قلم", "قَلَم"), gold("باب", "باب")]);
  expect([lemma, vowels]).toEqual([1, 1 / 2]);
  expect(evaluated(model, [gold("باب")]).vowels).toBeUndefined();
});

test("the first analysis is told apart from the one chosen in context", () => {
  const model = readingAs({ كتب: { best: reading("كتب"), first: reading("كتاب") } });
  expect(evaluated(model, [gold("كتب")])).toMatchObject({ lemma: 1, firstLemma: 0 });
  expect(evaluated(model, [gold("كتب", "كتاب")])).toMatchObject({ lemma: 0, firstLemma: 1 });
});

test("roots are a figure of words that have one; a word that is not in the lexicon has a wrong one", () => {
  expect(evaluated(readingAs(), [gold("بيت", "بيت", "NOUN", { root: "بيت" }), gold("باب")]).root).toBe(0);
  expect(evaluated(readingAs(), [gold("بيت")]).root).toBeUndefined();
  const known = (form: string, root: string) => evaluated(parts.model, [gold(form, form, "NOUN", { root })]).root;
  expect(["درس", "د.ر.س", "د ر س", "كتب"].map((root) => known("مدرسة", root))).toEqual([1, 1, 1, 0]);
  expect(["سأل", "س أ ل", "سءل"].map((root) => known("سأل", root))).toEqual([1, 1, 1]);
});

test("a word is cut as it is written: parts that begin and end where they should are right", () => {
  const cut = (written: string[], before: string) =>
    evaluated(readingAs({ وبيت: { best: reading("بيت", { before }) } }), [
      gold("وبيت", "بيت", "NOUN", { parts: written }),
    ]);
  expect(cut(["و", "بيت"], "و").parts).toBe(1);
  expect(cut(["و", "بيت"], "").parts).toBe(0);
  expect(cut(["و", "ب", "يت"], "و").parts).toBe((2 * 1) / (3 + 2));
  expect(cut(["وبيت"], "و").parts).toBeUndefined();
});

test("no word cannot be measured", () => {
  expect(() => evaluated(readingAs(), [])).toThrow("no word to measure");
  expect(() => evaluated(readingAs(), [[]][0] ?? [])).toThrow("no word to measure");
});
