import type { Signals } from "./signals.ts";
import learned from "./weights.json" with { type: "json" };

/** The terms that are added up, each by its weight. */
export const TERMS = [
  "bias",
  "words",
  "title",
  "meaning",
  "names",
  "numbers",
  "days",
  "sameSource",
  "wordsRoot",
  "titleRoot",
  "wordsSquared",
  "meaningSquared",
  "wordsAndNames",
  "wordsAndMeaning",
  "wordsAndNumbers",
  "titleAndMeaning",
  "meaningAndNames",
  "soon",
  "read",
  "readSquared",
  "readAndWords",
  "readAndNames",
] as const;

/** The value of each term, or its weight. */
export type Terms = Record<(typeof TERMS)[number], number>;

/**
 * Holds the weights of the terms in the logarithm of the odds that two articles tell of one event, both Arabic, both of
 * another language, or one of each; apart for pairs that the reranker has read. Learned by `eval/stories/train.ts` on
 * the days of development.
 */
const WEIGHTS: Record<"read" | "unread", Record<"ar" | "en" | "across", Terms>> = learned;

/** Weaker links are not kept. */
export const MIN_LINK = -3;

/** Share of a day after which a report no longer follows at once. */
const SOON_DAYS = 0.25;

/** Returns the logarithm of the odds that two articles, of these languages, tell of one event. */
export function weigh(signals: Signals, one: string | null, other: string | null): number {
  const terms = termsOf(signals);
  const table = WEIGHTS[signals.read === undefined ? "unread" : "read"];
  const weights = one !== other ? table.across : one === "ar" ? table.ar : table.en;
  let sum = 0;
  for (const name of TERMS) sum += weights[name] * terms[name];
  return sum;
}

/** Returns the value of each term. */
export function termsOf({ words, title, meaning, names, numbers, days, sameSource, read = 0 }: Signals): Terms {
  return {
    bias: 1,
    words,
    title,
    meaning,
    names,
    numbers,
    days,
    sameSource,
    wordsRoot: Math.sqrt(words),
    titleRoot: Math.sqrt(title),
    wordsSquared: words ** 2,
    meaningSquared: meaning ** 2,
    wordsAndNames: words * names,
    wordsAndMeaning: words * meaning,
    wordsAndNumbers: words * numbers,
    titleAndMeaning: title * meaning,
    meaningAndNames: meaning * names,
    soon: Math.min(1, days / SOON_DAYS),
    read,
    readSquared: read ** 2,
    readAndWords: read * words,
    readAndNames: read * names,
  };
}
