import type { Shared } from "./overlap.ts";

/** Tells what is known of two articles beside their texts. */
type PairFacts = {
  sameSource: boolean;
  /** The share of the telling words of the title with fewer that the other has, too. */
  titles: number;
};

/**
 * Weights by which a pair is judged: a logistic regression that `eval/copies/fit.ts` fits on the half of the articles
 * that is to choose by. Words that are shared or go on in both texts over changed ones speak for a copy; what speaks
 * against it are numbers that differ (a series), the same phrases in another order (another one), words at the ends
 * alone (boilerplate), and the same paper.
 */
const WEIGHTS = {
  bias: -5.18,
  words: 11.7,
  few: -4.69,
  overlap: 1.17,
  whole: 5.64,
  edge: -6.7,
  renumbered: -1.33,
  scrambled: -2.41,
  numbers: -0.68,
  remainder: -1.4,
  reordered: -5.95,
  bridged: 0.95,
  altered: -9.44,
  bridgedAltered: -4.43,
  titles: -0.52,
  sameSource: -0.64,
  sameSourceShort: -3.3,
} as const;

/** Names what a pair is judged by. */
type Feature = keyof typeof WEIGHTS;

/** Share of the shorter text from which on nearly all of it is shared. */
const NEARLY_WHOLE = 0.8;

/** Share of what the passages leave from which on the other text has it, too, elsewhere: phrases in another order. */
const MUCH = 0.4;

/** Words that are shared, below which they may be a turn of phrase. */
const FEW_WORDS = 24;

/** Words of the same paper that are shared from which on they are no turn of phrase of its desk. */
const DESK_WORDS = 40;

/** Returns the features of a pair, each of about 0 to 1. */
export function featuresOf(shared: Shared, { sameSource, titles }: PairFacts): Record<Feature, number> {
  const {
    overlap,
    overlapOfOther,
    words,
    tail,
    head,
    substituted,
    renumbered,
    scrambled,
    numbers,
    remainder,
    bridged,
    aligned,
    altered,
  } = shared;
  const most = Math.max(overlap, overlapOfOther);
  const isSame = sameSource ? 1 : 0;
  return {
    bias: 1,
    words: Math.min(1, Math.log2(1 + words + aligned) / 8),
    few: 1 - Math.min(1, (words + aligned) / FEW_WORDS),
    overlap: most,
    whole: Math.max(0, most - NEARLY_WHOLE) / (1 - NEARLY_WHOLE),
    edge: Math.min(1, tail + head) * (1 - most) * (1 - titles),
    renumbered: renumbered / (substituted + 2),
    scrambled: Math.min(1, 2 * scrambled),
    numbers: 1 - numbers,
    remainder,
    reordered: Math.max(0, remainder - MUCH) / (1 - MUCH),
    bridged,
    altered,
    bridgedAltered: bridged * altered,
    titles,
    sameSource: isSame,
    sameSourceShort: isSame * (1 - Math.min(1, words / DESK_WORDS)),
  };
}

/** Returns how likely it is, from 0 to 1, that the one text was taken from the other, or both from a third. */
export function likelihoodOf(shared: Shared, facts: PairFacts): number {
  let sum = 0;
  for (const [feature, value] of Object.entries(featuresOf(shared, facts))) sum += value * weightOf(feature);
  return 1 / (1 + Math.exp(-sum));
}

const weights: ReadonlyMap<string, number> = new Map(Object.entries(WEIGHTS));

const weightOf = (feature: string): number => weights.get(feature) ?? 0;

/**
 * Turns the log odds of a likelihood into those of a confidence (Platt 1999). Fitted on the half of the articles that
 * is to choose by and on chains that were read: likelihoods alone are too low, since most pairs that share much are
 * copies.
 */
const CALIBRATION = { slope: 1.3, offset: 1.7 };

/** Returns the share of links of this likelihood that are right. */
export function confidenceOf(likelihood: number): number {
  const odds = Math.log(likelihood / (1 - likelihood));
  return 1 / (1 + Math.exp(-(CALIBRATION.slope * odds + CALIBRATION.offset)));
}
