import { z } from "zod";
import { at } from "../../std/mod.ts";
import { bareForm, plainSpelling } from "./bare-form.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { decode, type Prepared, prepare, type UposOf, type Weights } from "./decode.ts";
import type { Label, Word } from "./features.ts";
import type { Lexicon } from "./lexicon.ts";
import type { WordRules } from "./rules.ts";
import { isStray } from "./stray.ts";

/** The universal parts of speech by those of the lexicon, as `upos.json` holds them. */
export const UposTable = z.record(z.string(), z.array(z.string()).min(1));
export type UposTable = z.output<typeof UposTable>;

/** What a word is read as in its sentence, and every reading that it could have, the likeliest first. */
export type Reading = { best: Label; candidates: readonly Candidate[] };

/** Reads the words of a sentence: lemma and part of speech of each. */
export type MorphModel = {
  read(words: readonly string[]): Reading[];
  /** Every reading of a word by itself, the likeliest first. */
  candidates(word: string): readonly Candidate[];
  /** The likeliest universal part of speech of one of the lexicon's. */
  uposOf(pos: string): string;
};

/** What is kept of a word: its readings, and what of their weight does not depend on the words around. */
type Known = { word: Word; labels: Prepared[] };

/** Words whose readings are kept. */
const KEPT = 50_000;

/** What stands for parts of speech of the lexicon that the treebank never showed. */
const UNSEEN: Readonly<Record<string, string>> = { digit: "NUM", punc: "PUNCT", foreign: "X", interj: "INTJ" };

/** Parts of speech of the lexicon that are never names: a name that looks like a verb is a guess of its own. */
const NEVER_NAMES = new Set(["verb", "conj", "conj_sub"]);

/** Puts lexicon, rules and weights together. */
export function createMorphModel(
  lexicon: Lexicon,
  rules: WordRules,
  { weights, upos }: { weights: Weights; upos: UposTable },
): MorphModel {
  const known = new Map<string, Known>();
  const possible = Object.fromEntries(
    Object.entries(upos).map(([pos, all]) => [
      pos,
      NEVER_NAMES.has(pos) ? all.filter((each) => each !== "PROPN") : all,
    ]),
  );
  const uposOf: UposOf = (pos) => possible[pos] ?? [UNSEEN[pos] ?? (pos.startsWith("part") ? "PART" : "X")];

  function readingsOf(text: string): Known {
    let readings = known.get(text);
    if (readings === undefined) {
      const spelt = plainSpelling(text);
      const word = { text: spelt, letters: bareForm(text), candidates: candidatesOf(spelt, lexicon, rules) };
      readings = { word, labels: prepare(word, uposOf, weights) };
      if (known.size >= KEPT) known.clear();
      known.set(text, readings);
    }
    return readings;
  }

  return {
    candidates: (word) => readingsOf(word).word.candidates,
    uposOf: (pos) => uposOf(pos)[0] ?? "X",
    read(texts) {
      const readings = texts.map(readingsOf);
      const words = readings.map(({ word }) => word);
      const labels = readings.map((each, place) => {
        const fitting = each.labels.filter(
          ({ label }) => !isStray(label.candidate, words[place - 1], words[place + 1]),
        );
        return fitting.length > 0 ? fitting : each.labels;
      });
      return decode(words, labels, weights).map(({ label }, place) => ({
        best: label,
        candidates: at(words, place).candidates,
      }));
    },
  };
}
