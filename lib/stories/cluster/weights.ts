import type { Signals } from "./signals.ts";

/** Weights of the signals in the logarithm of the odds that two articles tell of one event. */
type Weights = {
  bias: number;
  words: number;
  title: number;
  meaning: number;
  names: number;
  numbers: number;
  days: number;
  wordsSquared: number;
  meaningSquared: number;
  wordsRoot: number;
  wordsAndNames: number;
  titleRoot: number;
};

/** Learned by `eval/stories/train.ts` on the days of development, for articles of one language and of two. */
const WITHIN: Weights = {
  bias: -5.35,
  words: 7.14,
  title: 3.26,
  meaning: -1.46,
  names: 0.6,
  numbers: 1.77,
  days: -1.12,
  wordsSquared: 6.31,
  meaningSquared: 5.77,
  wordsRoot: 0.17,
  wordsAndNames: 2.02,
  titleRoot: 0.93,
};
const ACROSS: Weights = {
  bias: -4.67,
  words: 4,
  title: 0,
  meaning: 1.15,
  names: 6.41,
  numbers: 1.61,
  days: -3.17,
  wordsSquared: 10.27,
  meaningSquared: 8.66,
  wordsRoot: -2.25,
  wordsAndNames: 5.16,
  titleRoot: 0,
};

/** Weaker links are not kept. */
export const MIN_LINK = -3;

/** Returns how likely two articles tell of one event, as a logarithm of odds. */
export function weigh(signals: Signals, isOneLanguage: boolean): number {
  const terms = termsOf(signals);
  const weights = isOneLanguage ? WITHIN : ACROSS;
  return TERMS.reduce((sum, name) => sum + weights[name] * terms[name], 0);
}

/** The terms of the sum, in the order in which they are learned. */
export const TERMS: readonly (keyof Weights)[] = [
  "bias",
  "words",
  "title",
  "meaning",
  "names",
  "numbers",
  "days",
  "wordsSquared",
  "meaningSquared",
  "wordsRoot",
  "wordsAndNames",
  "titleRoot",
];

/** Returns the values that the weights are multiplied with. */
export function termsOf({ words, title, meaning, names, numbers, days }: Signals): Weights {
  return {
    ...{ bias: 1, words, title, meaning, names, numbers, days },
    wordsSquared: words ** 2,
    meaningSquared: meaning ** 2,
    wordsRoot: Math.sqrt(words),
    wordsAndNames: words * names,
    titleRoot: Math.sqrt(title),
  };
}
