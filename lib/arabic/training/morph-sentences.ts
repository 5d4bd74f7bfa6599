import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bareForm, vowelForm } from "../morphology/written-forms.ts";
import { type Candidate, vowelledLemma } from "../morphology/candidates.ts";
import type { MorphReading } from "../morphology/answer.ts";
import type { Example } from "./perceptron.ts";
import { type Label, prepare, type Prepared, type UposOf } from "../morphology/features.ts";

/**
 * A word of a sentence that somebody says: as it is written, and what it is by our own reading. Of several lemmas,
 * parts of speech, genders with numbers (`fs`, `-p`) or clitics each is right; those that are empty are not asked for.
 */
export type SpokenWord = { form: string; lemmas: string[]; pos: string[]; forms: string[]; clitics: string[] };

/** Sentences in the first person, of dialogue and of opinion, by the part that they are for. */
type SpeechPart = "training" | "held-out";

/** Returns the sentences of a part of a lexicon's `speech/`. */
export function readSpeech(lexicon: string, part: SpeechPart): SpokenWord[][] {
  const lines = readFileSync(join(lexicon, "speech", `${part}.txt`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => line.split(" ").map(spokenWord));
}

function spokenWord(text: string): SpokenWord {
  const [form = "", lemmas = "", pos = "", forms = "-", clitics = "_"] = text.split("/");
  return {
    form,
    lemmas: lemmas.split("|").map(bareForm),
    pos: pos.split("|"),
    forms: forms.split("|").filter((each) => each !== "-"),
    clitics: clitics.split("|"),
  };
}

/** Holds what universal parts of speech are told apart: conjunctions are of one kind, so are pronouns, and verbs. */
const KINDS: Readonly<Record<string, string>> = { AUX: "VERB", CCONJ: "CONJ", SCONJ: "CONJ", DET: "PRON" };

/** Tells whether a universal part of speech is one of a word's. */
export function isPosOf({ pos }: SpokenWord, upos: string): boolean {
  return pos.includes(KINDS[upos] ?? upos);
}

/** Tells whether clitics are those of a word, in normal form, the word itself as `_`: `و+ال+_`. */
export function areCliticsOf({ clitics }: SpokenWord, given: Pick<MorphReading, "proclitics" | "enclitics">): boolean {
  const bare = (all: MorphReading["proclitics"]): string[] => all.map(({ form }) => bareForm(form));
  const parts = [...bare(given.proclitics), "_", ...bare(given.enclitics)].join("+");
  return clitics.some((each) => each.replaceAll("أ", "ا") === parts);
}

/** Tells whether gender and number are those of a word, where it has any. */
export function isFormOf({ forms, pos }: SpokenWord, { gender, number }: Readonly<Record<string, string>>): boolean {
  if (!pos.every((each) => ["NOUN", "VERB", "ADJ"].includes(each)) || forms.length === 0) return true;
  return forms.some((each) => {
    const [own, count] = each;
    return (own === "-" || own === gender?.[0]) && count === number?.[0];
  });
}

/** Says how words become candidates, and parts of speech universal ones. */
export type Readings = { candidates: (word: string) => readonly Candidate[]; uposOf: UposOf };

/** Tells whether the lemma of a reading is this one, vowels and all. */
export function sameVowels(candidate: Candidate, lemma: string): boolean {
  return vowelForm(vowelledLemma(candidate)) === vowelForm(lemma);
}

/** Returns an example: right labels of a word are those that agree best, all of them where none agrees. */
export function exampleOf(
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

/**
 * Tells whether a sentence of the treebank, counted from 0, measures the model and is never trained on: every fifth.
 */
export function heldOut(number: number): boolean {
  return number % 5 === 4;
}
