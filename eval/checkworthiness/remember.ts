import type { Classifier } from "@isnad/lib/inference";
import { at } from "@isnad/lib/std";

/** A classifier that scores a sentence once for each language that it is read in: the debates are asked for twice. */
export function rememberScores(
  classifier: Pick<Classifier, "classify" | "threshold">,
): Pick<Classifier, "classify" | "threshold"> {
  const remembered = new Map<string, Map<string, number>>();
  return {
    threshold: (lang) => classifier.threshold(lang),
    async classify(sentences, options = {}) {
      const scores = remembered.get(options.lang ?? "") ?? new Map<string, number>();
      remembered.set(options.lang ?? "", scores);
      const unknown = [...new Set(sentences)].filter((sentence) => !scores.has(sentence));
      const measured = await classifier.classify(unknown, options);
      for (const [i, sentence] of unknown.entries()) scores.set(sentence, at(measured, i));
      return sentences.map((sentence) => scores.get(sentence) ?? Number.NaN);
    },
  };
}
