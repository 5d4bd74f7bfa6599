import { BoundedMap } from "../../std/mod.ts";
import { firstFrom } from "./postings.ts";
import { MOST_CONTENT, type Segment, TITLE_SHIFT } from "./segment.ts";

const K1 = 1.2;
const B = 0.75;

/** A term that a query looks for. */
export type WeightedTerm = {
  term: number;
  /** Its inverse document frequency times how often the query has it. */
  weight: number;
  /** What a posting's frequencies are worth, by their byte. */
  frequencies: Float64Array;
};

/**
 * The inverse document frequency of BM25, as SQLite's FTS5 has it: next to nothing for what more than half of the
 * documents hold.
 */
export function inverseFrequency(documents: number, withTerm: number): number {
  return Math.max(1e-6, Math.log((documents - withTerm + 0.5) / (withTerm + 0.5)));
}

/** Tables that are remembered: few weights are ever asked for. */
const tables = new BoundedMap<string, Float64Array>(64);

/** The weighted frequency that each byte of a posting stands for. */
export function frequencyTable(title: number, content: number): Float64Array {
  const weights = `${title} ${content}`;
  let table = tables.get(weights);
  if (table === undefined) {
    table = new Float64Array(256).map((_, byte) => title * (byte >> TITLE_SHIFT) + content * (byte & MOST_CONTENT));
    tables.set(weights, table);
  }
  return table;
}

/** What a word of weight 1 adds to a document's score at most. */
export const maximumWeight = K1 + 1;

/** What a document's score for a term is at most. */
export function boundOf({ weight }: WeightedTerm): number {
  return weight * maximumWeight;
}

/** Where scores are added up: those of the documents of a segment from `base` on. `meanLength` is that of all. */
export type Window = { scores: Float32Array; base: number; segment: Segment; meanLength: number };

/** The postings of a term in a window, from `from` to before `to`; in its segment there are some up to `last`. */
export type Postings = { from: number; to: number; last: number };

/**
 * Adds what a term adds to the score of each document of a window (Robertson et al., "Okapi at TREC-3", 1994, with
 * weighted fields as in FTS5).
 */
export function addTerm(
  { scores, base, segment: { docs, freqs, lengths }, meanLength }: Window,
  { weight, frequencies }: WeightedTerm,
  { from, to }: Postings,
): void {
  const gain = weight * (K1 + 1);
  const slope = (K1 * B) / meanLength;
  for (let i = from; i < to; i++) {
    const doc = docs[i] ?? 0;
    const frequency = frequencies[freqs[i] ?? 0] ?? 0;
    const norm = K1 * (1 - B) + slope * (lengths[doc] ?? 0);
    scores[doc - base] = (scores[doc - base] ?? 0) + (gain * frequency) / (frequency + norm);
  }
}

/** What a term of weight 1 that has this weighted frequency adds to the score of a document of this length. */
export function weightOfFrequency(frequency: number, length: number, meanLength: number): number {
  return ((K1 + 1) * frequency) / (frequency + K1 * (1 - B + (B * length) / meanLength));
}

/** As {@link addTerm}, for these documents alone, which ascend. */
export function addTermTo(
  candidates: Uint16Array,
  { scores, base, segment: { docs, freqs, lengths }, meanLength }: Window,
  { weight, frequencies }: WeightedTerm,
  { from, to }: Postings,
): void {
  const gain = weight * (K1 + 1);
  const slope = (K1 * B) / meanLength;
  let i = from;
  for (let c = 0; c < candidates.length && i < to; c++) {
    const doc = candidates[c] ?? 0;
    if ((docs[i] ?? 0) < doc) i = firstFrom(docs, doc, i, to);
    if (i >= to || docs[i] !== doc) continue;
    const frequency = frequencies[freqs[i] ?? 0] ?? 0;
    const norm = K1 * (1 - B) + slope * (lengths[doc] ?? 0);
    scores[doc - base] = (scores[doc - base] ?? 0) + (gain * frequency) / (frequency + norm);
  }
}
