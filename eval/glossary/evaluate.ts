import type { DialectSentence } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import { createDialectCorpus } from "../../lib/arabic/dialect/corpus.ts";
import { toCorpusSentence } from "../../lib/arabic/dialect/open.ts";

/** What the route asks for where nothing else is said. */
const ASKED = { topK: 3, threshold: 0.65 };

/**
 * Shares of words, signs left out: `found` has an entry, `lemma` has the right lemma of the standard language first,
 * `gloss` has that meaning first, word for word.
 */
export type GlossaryFigures = { size: number; found: number; lemma: number; gloss: number; predictions: string[] };

/** Looks up the words of each subject among the sentences of all others. RangeError when there are not two subjects. */
export function evalGlossary(all: readonly DialectSentence[]): GlossaryFigures {
  const subjects = Map.groupBy(all, ({ id }) => id.replace(/-\d+$/, ""));
  if (subjects.size < 2) throw new RangeError("words are looked up in other subjects: there must be two");
  const counts = { size: 0, found: 0, lemma: 0, gloss: 0 };
  const predictions: string[] = [];
  for (const [subject, sentences] of subjects) {
    const others = [...subjects].flatMap(([name, own]) => (name === subject ? [] : own)).map(toCorpusSentence);
    const corpus = createDialectCorpus({ size: others.length, at: (place) => at(others, place) }, subject);
    for (const { token, msa_lemma, gloss } of sentences.flatMap(({ tokens }) => tokens)) {
      if (!/[\p{L}\p{N}]/u.test(token)) continue;
      const [best] = corpus.glossary(token, ASKED);
      counts.size++;
      if (best !== undefined) counts.found++;
      if (best?.lemma_msa === msa_lemma) counts.lemma++;
      if (best?.gloss === gloss) counts.gloss++;
      predictions.push([token, msa_lemma, gloss, best?.lemma_msa ?? "", best?.gloss ?? ""].join("\t"));
    }
  }
  const { size } = counts;
  return { size, found: counts.found / size, lemma: counts.lemma / size, gloss: counts.gloss / size, predictions };
}
