import { at } from "../../std/index.ts";
import { addTerm, type WeightedTerm, weightOfFrequency } from "./bm25.ts";
import { postingsOf, SEGMENT_DOCS, type Segment } from "./segment.ts";
import type { Top } from "./top.ts";

/** Terms any of which stands for one word of the query, each with what it is worth beside the likeliest one. */
export type TermGroup = {
  terms: readonly { term: number; share: number }[];
  weight: number;
  frequencies: Float64Array;
};

const scores = new Float32Array(SEGMENT_DOCS);
const sums = new Float32Array(SEGMENT_DOCS);
const touched = new Uint16Array(SEGMENT_DOCS);

/**
 * Puts the documents of a segment that are marked, and have a term of the query or of one of its groups, into `top`. A
 * group scores as one term would whose frequency is the sum of theirs (Pirkola, "The Effects of Query Structure and
 * Dictionary Setups in Dictionary-Based Cross-Language Information Retrieval", SIGIR 1998). `known` are the scores of
 * the terms alone, where they are known; they are changed.
 */
export function evaluateGroups(
  {
    terms,
    groups,
    meanLength,
    known,
  }: {
    terms: readonly WeightedTerm[];
    groups: readonly TermGroup[];
    meanLength: number;
    known: Float32Array | undefined;
  },
  segment: Segment,
  place: number,
  mask: Uint8Array,
  top: Top,
): void {
  const view = known ?? scores.subarray(0, segment.forward.count).fill(0);
  if (known === undefined) {
    for (const term of terms) addTerm(view, segment, postingsOf(segment, term.term), term, meanLength);
  }
  for (const group of groups) addGroup(view, segment, group, mask, meanLength);
  for (let doc = 0; doc < view.length; doc++) {
    const score = view[doc] ?? 0;
    if (score > 0 && score >= top.least && mask[doc] !== 0) top.add(score, at(segment.forward.ids, doc), place, doc);
  }
}

/** Adds to `scores` what a group adds to the score of each marked document. */
function addGroup(
  view: Float32Array,
  segment: Segment,
  { terms, weight, frequencies }: TermGroup,
  mask: Uint8Array,
  meanLength: number,
): void {
  const { docs, freqs, lengths } = segment;
  let count = 0;
  for (const { term, share } of terms) {
    const { from, to } = postingsOf(segment, term);
    for (let i = from; i < to; i++) {
      const doc = docs[i] ?? 0;
      if (mask[doc] === 0) continue;
      const sum = sums[doc] ?? 0;
      if (sum === 0) touched[count++] = doc;
      sums[doc] = sum + share * (frequencies[freqs[i] ?? 0] ?? 0);
    }
  }
  for (let i = 0; i < count; i++) {
    const doc = touched[i] ?? 0;
    view[doc] = (view[doc] ?? 0) + weight * weightOfFrequency(sums[doc] ?? 0, lengths[doc] ?? 0, meanLength);
    sums[doc] = 0;
  }
}
