import { openRegistry, textOf } from "../../models/cards/mod.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { createMorphModel, type MorphModel, UposTable } from "./model.ts";
import { createRules, type WordRules } from "./rules.ts";
import { readTable } from "./tables.ts";

/** The model that ships. */
export const MODEL = "morph-ar";

/** The analyser over the lexicon that ships: every reading of a word. Throws when a table is missing or damaged. */
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
 * The analyser with the model that ships, its checksums verified. Rejects when a file is missing or damaged, with an
 * InferenceError where it is the model's.
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
