import { at } from "../../std/mod.ts";
import { cosine, featuresOf, type Sentence } from "./features.ts";

/**
 * What each feature is worth: ridge regression of a sentence's ROUGE F1 (mean of 1, 2 and L, within its article), on
 * 500 articles of the train split of `summarization/ant_bbc_ar`.
 */
const WEIGHTS = [0.382, 0.102, 0.15, 0.042, -0.003, -0.021, 0.006];

/** A sentence that goes on from one that is chosen reads better; tuned on the same articles. */
const GOES_ON = 0.05;

/** Above this cosine two sentences say the same. */
const SAME = 0.9;

/** Words of a summary: sentences are added until it has `enough`, none that would make it more than `most`. */
export type WordBounds = { enough: number; most: number };

/**
 * The places of the sentences of a summary, ascending: the best by their features, without those that repeat another.
 * At least one, however long it is.
 */
export function chooseSentences(sentences: readonly Sentence[], { enough, most }: WordBounds): number[] {
  const scores = featuresOf(sentences).map((features) =>
    features.reduce((sum, value, i) => sum + value * at(WEIGHTS, i), 0),
  );
  const chosen = new Set<number>();
  let words = 0;
  while (words < enough) {
    const next = bestOf(scores, chosen, (place) => {
      const sentence = at(sentences, place);
      if (chosen.size > 0 && words + sentence.words > most) return false;
      return ![...chosen].some((other) => cosine(at(sentences, other).vector, sentence.vector) >= SAME);
    });
    if (next === undefined) break;
    chosen.add(next);
    words += at(sentences, next).words;
  }
  return [...chosen].sort((a, b) => a - b);
}

/** The best place that is not chosen yet and fits. */
function bestOf(scores: readonly number[], chosen: ReadonlySet<number>, fits: (place: number) => boolean) {
  let best: { place: number; score: number } | undefined;
  for (const [place, own] of scores.entries()) {
    const score = chosen.has(place - 1) ? own + GOES_ON : own;
    if (!chosen.has(place) && (best === undefined || score > best.score) && fits(place)) best = { place, score };
  }
  return best?.place;
}
