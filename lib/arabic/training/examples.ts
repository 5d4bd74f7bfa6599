import type { EntitySentence, SenseEntry } from "../../contract/mod.ts";
import { at } from "../../std/mod.ts";
import { bareForm } from "../morphology/bare-form.ts";
import { type Candidate, vowelledLemma } from "../morphology/candidates.ts";
import { type Prepared, prepare, type UposOf } from "../morphology/decode.ts";
import type { Label } from "../morphology/features.ts";
import { vowelForm } from "../morphology/vowel-form.ts";
import { tokensOf } from "../tokens.ts";
import type { TreebankWord } from "../treebank.ts";
import type { Example } from "./perceptron.ts";

/** How words become candidates, and parts of speech universal ones. */
export type Readings = { candidates: (word: string) => readonly Candidate[]; uposOf: UposOf };

/** Universal parts of speech that a word can have whose sense is of these. */
const SENSE_UPOS: Readonly<Record<string, readonly string[]>> = {
  verb: ["VERB", "AUX"],
  noun: ["NOUN"],
  adj: ["ADJ"],
  adv: ["ADV", "NOUN", "ADJ"],
};

/**
 * A sentence of the treebank: right is what agrees with it in the letters of the lemma, in the part of speech and in
 * the vowels of the lemma, the first of these before the others.
 */
export function treebankExample(gold: readonly TreebankWord[], readings: Readings): Example {
  return exampleOf(
    gold.map(({ form }) => form),
    readings,
    (label, place) => {
      const { lemma, upos } = at(gold, place);
      // Numerals have no lemma in the treebank but what is written.
      if (upos === "NUM") return (label.upos === upos ? 2 : 0) + (label.candidate.analysis === undefined ? 0 : 1);
      if (bareForm(label.candidate.lemma) !== bareForm(lemma)) return label.upos === upos ? 2 : 0;
      return 4 + (label.upos === upos ? 2 : 0) + (sameVowels(label.candidate, lemma) ? 1 : 0);
    },
  );
}

/** Whether the lemma of a reading is this one, vowels and all. */
export function sameVowels(candidate: Candidate, lemma: string): boolean {
  return vowelForm(vowelledLemma(candidate)) === vowelForm(lemma);
}

/**
 * The example sentences of a sense, of which one word is known: it has the sense's lemma and part of speech. Sentences
 * in which the word is not found, or more than once, are left out.
 */
export function senseExamples({ lemma, pos, examples }: SenseEntry, readings: Readings): Example[] {
  const upos = SENSE_UPOS[pos];
  if (upos === undefined) return [];
  const own = bareForm(lemma);
  const fits = ({ candidate, upos: tag }: Label): boolean => bareForm(candidate.lemma) === own && upos.includes(tag);
  return examples.flatMap((example) => {
    const texts = tokensOf(example).map(({ token }) => token);
    const made = exampleOf(texts, readings, (label) => {
      if (!fits(label)) return 0;
      return sameVowels(label.candidate, lemma) ? 2 : 1;
    });
    const places = made.labels.flatMap((labels, place) => (labels.some(({ label }) => fits(label)) ? [place] : []));
    return places.length === 1 ? [made] : [];
  });
}

/** A sentence whose names of persons are known; `undefined` for one that names nobody. */
export function entityExample({ text, entities }: EntitySentence, readings: Readings): Example | undefined {
  const names = entities.filter(({ type }) => type === "PERS");
  if (names.length === 0) return undefined;
  const tokens = tokensOf(text);
  const named = tokens.map((token) => names.some(({ start, end }) => token.start < end && start < token.end));
  return exampleOf(
    tokens.map(({ token }) => token),
    readings,
    ({ upos }, place) => (named[place] === true && upos === "PROPN" ? 1 : 0),
  );
}

/** Right labels of a word are those that agree best, all of them where none agrees. */
function exampleOf(
  texts: readonly string[],
  { candidates, uposOf }: Readings,
  agreement: (label: Label, place: number) => number,
): Example {
  const words = texts.map((text) => ({ text, letters: bareForm(text), candidates: candidates(text) }));
  const labels = words.map((word) => prepare(word, uposOf));
  const right = labels.map((choices, place): Prepared[] => {
    const scores = choices.map(({ label }) => agreement(label, place));
    const most = Math.max(...scores);
    return choices.filter((_, each) => scores[each] === most);
  });
  return { words, labels, right };
}
