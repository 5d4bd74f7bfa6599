import { at } from "@isnad/lib/std";
import { bareForm } from "../../nlp/linguistic/morph/bare-form.ts";
import type { Lexicon } from "../../nlp/linguistic/morph/lexicon.ts";
import type { MorphModel } from "../../nlp/linguistic/morph/model.ts";
import type { TreebankWord } from "../../nlp/linguistic/treebank.ts";

/**
 * Shares of words that are right. Lemmas are compared without vowels, letters folded, over words written in Arabic;
 * parts of speech over all words; roots over those that have one in the treebank. `firstLemma`: of the dictionary's
 * first analysis, context left aside.
 */
export type MorphFigures = {
  size: number;
  lemma: number;
  upos: number;
  root?: number;
  firstLemma: number;
  /** One word a line: form, lemma and part of speech that were given. */
  predictions: string[];
};

/** Measures the model on sentences of gold words. Throws RangeError when there is none. */
export function evalMorph(model: MorphModel, lexicon: Lexicon, sentences: readonly TreebankWord[][]): MorphFigures {
  const counts = { words: 0, upos: 0, arabic: 0, lemma: 0, first: 0, rooted: 0, root: 0 };
  const predictions: string[] = [];
  for (const gold of sentences) {
    const readings = model.read(gold.map(({ form }) => form));
    gold.forEach((word, place) => {
      const { best, candidates } = at(readings, place);
      counts.words++;
      if (best.upos === word.upos) counts.upos++;
      predictions.push(`${word.form}\t${best.candidate.lemma}\t${best.upos}`);
      if (word.root !== undefined) {
        counts.rooted++;
        const { analysis } = best.candidate;
        if (analysis !== undefined && lexicon.lemma(analysis.lemma.id).root === word.root.replace(/[أإآؤئ\s.]/g, "ء"))
          counts.root++;
      }
      if (!/[\u0621-\u064a]/u.test(word.form)) return;
      counts.arabic++;
      if (bareForm(best.candidate.lemma) === bareForm(word.lemma)) counts.lemma++;
      if (bareForm(candidates[0]?.lemma ?? "") === bareForm(word.lemma)) counts.first++;
    });
  }
  if (counts.words === 0) throw new RangeError("no word to measure");
  return {
    size: counts.words,
    lemma: counts.lemma / counts.arabic,
    upos: counts.upos / counts.words,
    ...(counts.rooted > 0 && { root: counts.root / counts.rooted }),
    firstLemma: counts.first / counts.arabic,
    predictions,
  };
}
