import { z } from "zod";
import { openRegistry, textOf } from "../../models/cards/mod.ts";
import { at, BoundedMap, copied } from "../../std/mod.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { adjectivesInContext, formsInContext, isDefinite } from "./in-context.ts";
import { createLexicon, type Lexicon, readTable } from "./lexicon.ts";
import { createRules, type WordRules } from "./rules.ts";
import { isStray } from "./strays.ts";
import { bareForm, plainSpelling } from "./written-forms.ts";
import {
  decode,
  type Label,
  lemmaFeature,
  prepare,
  type Prepared,
  type UposOf,
  type Weights,
  type Word,
} from "./features.ts";

/** The universal parts of speech by those of the lexicon, as `upos.json` holds them. */
const UposTable = z.record(z.string(), z.array(z.string()).min(1));
type UposTable = z.output<typeof UposTable>;

/** Holds what a word is read as in its sentence, and every reading that it could have, the likeliest first. */
type Reading = { best: Label; candidates: readonly Candidate[] };

/** Reads the words of a sentence: lemma and part of speech of each. */
export type MorphModel = {
  read(words: readonly string[]): Reading[];
  /** Returns every reading of a word by itself, the likeliest first. */
  candidates(word: string): readonly Candidate[];
  /** Returns the likeliest universal part of speech of one of the lexicon's. */
  uposOf(pos: string): string;
};

/** Holds what is kept of a word: its readings, and what of their weight does not depend on the words around. */
type Known = { word: Word; labels: Prepared[] };

/** Readings and labels that are kept, of some thousands of words: a kilobyte each. */
const CACHED_WORDS = 64_000;

const NO_FEATURES = new Uint32Array();

/** Holds what stands for parts of speech of the lexicon that the treebank never showed. */
const UNSEEN: Readonly<Record<string, string>> = { digit: "NUM", punc: "PUNCT", foreign: "X", interj: "INTJ" };

/** Parts of speech of the lexicon that are never names: a name that looks like a verb is a guess of its own. */
const NEVER_NAMES = new Set(["verb", "conj", "conj_sub"]);

/** Nouns that the treebank has as prepositions, and those that it has as adverbs without an ending that says so. */
const AS_PREPOSITION: ReadonlySet<string> = new Set(
  "أثناء أمام إبان إزاء اتجاه إثر بين بعد بعيد بدل تجاه تحت جراء حسب حول حوالي حيال حين خارج خلال خلف داخل دون رغم سوى صوب ضد ضمن طوال طيلة عبر عقب عند فور فوق قبالة قبل قبيل قرب لدى مثل مع مقابل منذ نتيجة نحو وراء وسط وفق".split(
    " ",
  ),
);
const AS_ADVERB: ReadonlySet<string> = new Set(
  "أمس آن يوم غد صباح مساء ليل حين سرعان طالما وقت عام بعد قبل نحو فوق تحت خارج داخل".split(" "),
);

/**
 * Tells whether a noun or adjective of the lexicon is hardly ever of a part of speech: a name has no pronoun and no
 * ending of the accusative, and few nouns are prepositions and adverbs.
 */
function isUnlikely({ candidate: { analysis, pos, lemma }, upos }: Label): boolean {
  if (analysis === undefined) return false;
  if (!/^(?:noun|adj)$/.test(pos)) return false;
  const hasPronoun = (analysis.features.enc0 ?? "0") !== "0";
  const isAccusative = /AF$/.test(analysis.ending.form);
  switch (upos) {
    case "PROPN":
      return hasPronoun || isAccusative;
    case "ADP":
      return !AS_PREPOSITION.has(lemma);
    case "ADV":
      return !/F$|^ap/.test(analysis.ending.form) && !AS_ADVERB.has(lemma);
    case "ADJ":
      return pos === "noun" && hasPronoun;
    default:
      return false;
  }
}

/** Tells whether the lexicon has a word as a name alone, or not at all. */
const isName = ({ candidate: { analysis, pos } }: Label): boolean => analysis === undefined || pos === "noun_prop";

/** Puts lexicon, rules and weights together. */
export function createMorphModel(
  lexicon: Lexicon,
  rules: WordRules,
  { weights, upos }: { weights: Weights; upos: UposTable },
): MorphModel {
  const known = new BoundedMap<string, Known>(CACHED_WORDS, {
    weigh: ({ word, labels }) => 1 + word.candidates.length + labels.length,
  });
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
      // A slice of a text keeps all of it alive, and so does what is cut from the slice.
      const own = copied(text);
      const spelt = plainSpelling(own);
      const word = { text: spelt, letters: bareForm(own), candidates: candidatesOf(spelt, lexicon, rules) };
      // Their features are a third of their memory, and have been weighed.
      const labels = prepare(word, uposOf, weights).map((label) => ({ ...label, own: NO_FEATURES }));
      readings = { word, labels };
      known.set(own, readings);
    }
    return readings;
  }

  /** Tells whether a common noun would be a name that the treebank has none of, and no name stands before it. */
  function isNewName({ label, hashes }: Pick<Prepared, "label" | "hashes">, before: Label | undefined): boolean {
    const { analysis, pos } = label.candidate;
    if (label.upos !== "PROPN" || analysis === undefined || !/^(?:noun|adj)$/.test(pos)) return false;
    if (before?.upos === "PROPN" && isName(before)) return false;
    // Behind a construct an adjective is none: وزير الخارجية.
    if (pos === "adj" && label.candidate.before.endsWith("ال") && before?.upos === "NOUN" && !isDefinite(before))
      return false;
    return (weights[lemmaFeature(hashes) & (weights.length - 1)] ?? 0) <= 0;
  }

  return {
    candidates: (word) => readingsOf(word).word.candidates,
    uposOf: (pos) => uposOf(pos)[0] ?? "X",
    read(texts) {
      const readings = texts.map(readingsOf);
      const words = readings.map(({ word }) => word);
      const labels = readings.map((each, place) => {
        const around = { own: each.word, before: words[place - 1], behind: words[place + 1] };
        const fitting = each.labels.filter(({ label }) => !isStray(label.candidate, around));
        return fitting.length > 0 ? fitting : each.labels;
      });
      const decoded = decode(words, labels, weights);
      const chosen = decoded.map(({ label, hashes }, place) =>
        isUnlikely(label) || isNewName({ label, hashes }, decoded[place - 1]?.label)
          ? { ...label, upos: at(uposOf(label.candidate.pos), 0) }
          : label,
      );
      return formsInContext(adjectivesInContext(chosen, words), words).map((best, place) => ({
        best,
        candidates: at(words, place).candidates,
      }));
    },
  };
}

/** The model that ships. */
export const MODEL = "morph-ar";

/**
 * Returns the analyser over the lexicon that ships: every reading of a word. Throws when a table is missing or damaged.
 */
export function openAnalyser(): { lexicon: Lexicon; rules: WordRules; candidates(word: string): Candidate[] } {
  const rules = createRules(readTable("rules.json"));
  const lexicon = createLexicon(readTable("lemmas.tsv"), readTable("stems.tsv"), readTable("places.tsv"));
  return {
    lexicon,
    rules,
    candidates: (word) => candidatesOf(word, lexicon, rules),
  };
}

/**
 * Returns the analyser with the model that ships, its checksums verified. Rejects when a file is missing or damaged,
 * with an InferenceError where it is the model's.
 */
export async function openMorphology(
  registry = openRegistry(),
): Promise<{ lexicon: Lexicon; rules: WordRules; model: MorphModel }> {
  const [table, bytes] = await Promise.all([registry.read(MODEL, "upos.json"), registry.read(MODEL, "weights.bin")]);
  const { lexicon, rules } = openAnalyser();
  const upos = UposTable.parse(JSON.parse(textOf(table)));
  return {
    lexicon,
    rules,
    model: createMorphModel(lexicon, rules, { weights: new Int16Array(bytes.slice().buffer), upos }),
  };
}
