import type { Signals } from "./signals.ts";

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
] as const;

/** The value of each term, or its weight. */
export type Terms = Record<(typeof TERMS)[number], number>;

/**
 * Weights of the terms in the logarithm of the odds that two articles tell of one event, both Arabic, both of another
 * language, or one of each. Learned by `eval/stories/train.ts` on the days of development.
 */
const ARABIC: Terms = {
  bias: -9.71,
  words: 1.21,
  title: 2,
  meaning: 6.14,
  names: 1.14,
  numbers: 1.25,
  days: 0.18,
  sameSource: -1.34,
  wordsRoot: 3.31,
  titleRoot: 1.15,
  wordsSquared: -0.87,
  meaningSquared: 4.85,
  wordsAndNames: -2.43,
  wordsAndMeaning: 0.15,
  wordsAndNumbers: 0.38,
  titleAndMeaning: 1.55,
  meaningAndNames: -1.05,
  soon: 0.18,
};
const ENGLISH: Terms = {
  bias: -11.34,
  words: 4.57,
  title: 0.83,
  meaning: 2.62,
  names: 2.23,
  numbers: 1.41,
  days: -1.11,
  sameSource: 1.9,
  wordsRoot: 4.96,
  titleRoot: -0.39,
  wordsSquared: 2.28,
  meaningSquared: 3.15,
  wordsAndNames: 1.59,
  wordsAndMeaning: 3.5,
  wordsAndNumbers: 0.68,
  titleAndMeaning: 0.98,
  meaningAndNames: 1.72,
  soon: 0.32,
};
const ACROSS: Terms = {
  bias: -5.97,
  words: 3.51,
  title: 0,
  meaning: 3.56,
  names: 4.2,
  numbers: 0.85,
  days: -1.87,
  sameSource: 0,
  wordsRoot: 4.49,
  titleRoot: 0,
  wordsSquared: 1.42,
  meaningSquared: 2.05,
  wordsAndNames: 0.85,
  wordsAndMeaning: 1.73,
  wordsAndNumbers: 0.6,
  titleAndMeaning: 0,
  meaningAndNames: 0.95,
  soon: -2.88,
};

/** Weaker links are not kept. */
export const MIN_LINK = -3;

/** Share of a day after which a report no longer follows at once. */
const SOON_DAYS = 0.25;

/** Returns the logarithm of the odds that two articles, of these languages, tell of one event. */
export function weigh(signals: Signals, one: string | null, other: string | null): number {
  const terms = termsOf(signals);
  const weights = one !== other ? ACROSS : one === "ar" ? ARABIC : ENGLISH;
  let sum = 0;
  for (const name of TERMS) sum += weights[name] * terms[name];
  return sum;
}

/** Returns the value of each term. */
export function termsOf({ words, title, meaning, names, numbers, days, sameSource }: Signals): Terms {
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
  };
}
