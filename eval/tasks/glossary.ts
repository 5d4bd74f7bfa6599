import { fileURLToPath, URL } from "node:url";
import { DialectSentence } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import { createDialectCorpus } from "../../lib/arabic/dialect/corpus.ts";
import { toCorpusSentence } from "../../lib/arabic/dialect/answer.ts";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { entriesHash } from "../corpus.ts";
import type { EvalTask } from "../task.ts";

/** Holds what the route asks for where nothing else is said. */
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

const SENTENCES = fileURLToPath(new URL("../../nlp/lexicon/dialect", import.meta.url));

/** Words in dialect looked up among the sentences of all other subjects. */
export const glossary: EvalTask = {
  name: "glossary",
  formats: "a folder of *.jsonl, one file a subject, as nlp/lexicon/dialect",
  sets: () => [{ set: "nlp/lexicon/dialect, each subject left out", path: SENTENCES }],
  async load() {
    return {
      async measure({ path }) {
        const sentences = readEntries(path, DialectSentence);
        const { size, predictions, ...figures } = evalGlossary(sentences);
        return { figures, size, predictions, corpus: entriesHash(sentences) };
      },
      async close() {},
    };
  },
};
