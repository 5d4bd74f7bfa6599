import { maximumWeight, type Postings, type Window, weightOfFrequency } from "./bm25.ts";
import { firstFrom } from "./postings.ts";
import { WINDOW } from "./segment.ts";

/**
 * Terms any of which stands for one word of the query, each with what it is worth beside the likeliest one. A group
 * scores as one term would whose frequency is the sum of theirs (Pirkola, "The Effects of Query Structure and
 * Dictionary Setups in Dictionary-Based Cross-Language Information Retrieval", SIGIR 1998).
 */
export type TermGroup = {
  terms: readonly { term: number; share: number }[];
  weight: number;
  frequencies: Float64Array;
};

/** The frequencies of a group in the documents of a window; all 0 between two calls. */
const sums = new Float32Array(WINDOW);
const touched = new Uint16Array(WINDOW);

/** What a document's score for a group is at most. */
export function boundOfGroup({ weight }: TermGroup): number {
  return weight * maximumWeight;
}

/** Adds what a group adds to the score of each document of a window; `lists` are the postings of its terms. */
export function addGroup(window: Window, { terms, weight, frequencies }: TermGroup, lists: readonly Postings[]): void {
  const { scores, base, meanLength } = window;
  const { docs, freqs, lengths } = window.segment;
  let count = 0;
  for (const [t, { from, to }] of lists.entries()) {
    const share = terms[t]?.share ?? 0;
    for (let i = from; i < to; i++) {
      const frequency = frequencies[freqs[i] ?? 0] ?? 0;
      if (frequency === 0) continue;
      const place = (docs[i] ?? 0) - base;
      const sum = sums[place] ?? 0;
      if (sum === 0) touched[count++] = place;
      sums[place] = sum + share * frequency;
    }
  }
  for (let i = 0; i < count; i++) {
    const place = touched[i] ?? 0;
    const worth = weightOfFrequency(sums[place] ?? 0, lengths[base + place] ?? 0, meanLength);
    scores[place] = (scores[place] ?? 0) + weight * worth;
    sums[place] = 0;
  }
}

/** As {@link addGroup}, for these documents alone, which ascend. */
export function addGroupTo(
  candidates: Uint16Array,
  window: Window,
  { terms, weight, frequencies }: TermGroup,
  lists: readonly Postings[],
): void {
  const { scores, base, meanLength } = window;
  const { docs, freqs, lengths } = window.segment;
  for (const [t, { from, to }] of lists.entries()) {
    const share = terms[t]?.share ?? 0;
    let i = from;
    for (let c = 0; c < candidates.length && i < to; c++) {
      const doc = candidates[c] ?? 0;
      if ((docs[i] ?? 0) < doc) i = firstFrom(docs, doc, i, to);
      if (i >= to || docs[i] !== doc) continue;
      sums[doc - base] = (sums[doc - base] ?? 0) + share * (frequencies[freqs[i] ?? 0] ?? 0);
    }
  }
  for (let c = 0; c < candidates.length; c++) {
    const place = (candidates[c] ?? 0) - base;
    const sum = sums[place] ?? 0;
    if (sum === 0) continue;
    scores[place] = (scores[place] ?? 0) + weight * weightOfFrequency(sum, lengths[base + place] ?? 0, meanLength);
    sums[place] = 0;
  }
}
