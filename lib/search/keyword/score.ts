import { at, BoundedMap } from "../../std/mod.ts";
import { firstFrom, MOST_CONTENT, postingsOf, type Segment, TITLE_SHIFT, WINDOW } from "./postings.ts";
import type { Top } from "./top.ts";

const K1 = 1.2;
const B = 0.75;

/** A term that a query looks for. */
export type WeightedTerm = {
  term: number;
  /** Its inverse document frequency times how often the query has it. */
  weight: number;
  /** Holds what a posting's frequencies are worth, by their byte. */
  frequencies: Float64Array;
};

/**
 * The inverse document frequency of BM25, as SQLite's FTS5 has it: next to nothing for what more than half of the
 * documents hold.
 */
export function inverseFrequency(documents: number, withTerm: number): number {
  return Math.max(1e-6, Math.log((documents - withTerm + 0.5) / (withTerm + 0.5)));
}

/** Tables that are cached: few weights are ever asked for. */
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

/** Holds what a word of weight 1 adds to a document's score at most. */
const maximumWeight = K1 + 1;

/** Returns what a document's score for a term is at most. */
function boundOf({ weight }: WeightedTerm): number {
  return weight * maximumWeight;
}

/** Says where scores are added up: those of the documents of a segment from `base` on. `meanLength` is that of all. */
type Window = { scores: Float32Array; base: number; segment: Segment; meanLength: number };

/** The postings of a term in a window, from `from` to before `to`; in its segment there are some up to `last`. */
type Postings = { from: number; to: number; last: number };

/**
 * Adds what a term adds to the score of each document of a window (Robertson et al., "Okapi at TREC-3", 1994, with
 * weighted fields as in FTS5).
 */
function addTerm(
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

/** Returns what a term of weight 1 that has this weighted frequency adds to the score of a document of this length. */
function weightOfFrequency(frequency: number, length: number, meanLength: number): number {
  return ((K1 + 1) * frequency) / (frequency + K1 * (1 - B + (B * length) / meanLength));
}

/** As {@link addTerm}, for these documents alone, which ascend. */
function addTermTo(
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

/** Returns what a document's score for a group is at most. */
function boundOfGroup({ weight }: TermGroup): number {
  return weight * maximumWeight;
}

/** Adds what a group adds to the score of each document of a window; `lists` are the postings of its terms. */
function addGroup(window: Window, { terms, weight, frequencies }: TermGroup, lists: readonly Postings[]): void {
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
function addGroupTo(
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

/** Postings that take as long as looking a candidate up. */
const LOOK_UP = 8;
/** Bounds are taken for this much more than they are, because sums are rounded. */
const SLACK = 1.0001;

/** The least score of 32 bits that is more than 0. */
const LOWEST = 2 ** -149;

const scores = new Float32Array(WINDOW);
const candidates = new Uint16Array(WINDOW);
const one = new Uint16Array(1);

/**
 * Holds what a query looks for: terms, then groups of terms. `meanLength` is that of all documents; `window` the number
 * of documents whose scores are added up at a time (8192, and at most).
 */
type Weighted = {
  terms: readonly WeightedTerm[];
  groups?: readonly TermGroup[];
  meanLength: number;
  window?: number;
};

/** The documents of a segment from `from` to before `to`, those that are 1 in `mask` where there is one. */
type Part = { segment: Segment; place: number; from: number; to: number; mask: Uint8Array | undefined };

/** A term or a group: what it adds at most, its postings in the window at hand, and how many these are. */
type Source = { bound: number; lists: Postings[]; count: number } & ({ term: WeightedTerm } | { group: TermGroup });

/**
 * Puts the best documents of a part of a segment into `top`, window by window. Terms and groups are added one after
 * another, in their order. As soon as all further ones together cannot lift a document into the best, only those that
 * are near are looked up in them (after Turtle and Flood, "Query Evaluation: Strategies and Optimizations", 1995:
 * MaxScore). The answer is the same.
 */
export function evaluate(weighted: Weighted, part: Part, top: Top): void {
  const { meanLength, window = WINDOW } = weighted;
  const { from, to } = part;
  const { docs } = part.segment;
  const sources = sourcesOf(weighted, part.segment, from);
  /** Holds what the sources from each one on add at most to a document of the window. */
  const rest = new Float64Array(sources.length + 1);
  for (let base = from; base < to; base += window) {
    const end = Math.min(base + window, to);
    for (let i = sources.length - 1; i >= 0; i--) {
      const source = at(sources, i);
      source.count = 0;
      for (const list of source.lists) {
        list.from = list.to;
        list.to = firstFrom(docs, end, list.from, list.last);
        source.count += list.to - list.from;
      }
      rest[i] = (rest[i + 1] ?? 0) + (source.count > 0 ? source.bound : 0);
    }
    const most = rest[0] ?? 0;
    if (most > 0 && most >= top.least) addWindow({ sources, rest, meanLength }, { ...part, from: base, to: end }, top);
  }
}

type Sources = { sources: readonly Source[]; rest: Float64Array; meanLength: number };

/** Puts the best documents of a window, `part`, into `top`. */
function addWindow({ sources, rest, meanLength }: Sources, part: Part, top: Top): void {
  const { segment, from: base } = part;
  const view = scores.subarray(0, part.to - base).fill(0);
  const window = { scores: view, base, segment, meanLength };
  let near: Uint16Array | undefined;
  for (const [i, source] of sources.entries()) {
    const { count, lists } = source;
    if (count === 0) continue;
    const least = (top.least - (rest[i] ?? 0)) / SLACK;
    if (near !== undefined) near = keepFrom(near, view, base, least);
    else if (least > 0) near = documentsFrom(view, part, least);
    if (near !== undefined && near.length * LOOK_UP < count) {
      if ("group" in source) addGroupTo(near, window, source.group, lists);
      else addTermTo(near, window, source.term, at(lists, 0));
    } else if ("group" in source) addGroup(window, source.group, lists);
    else addTerm(window, source.term, at(lists, 0));
  }
  collect(near ?? documentsFrom(view, part, top.least), view, part, top);
}

/** The terms and groups that have postings, which begin at document `from`. */
function sourcesOf({ terms, groups = [] }: Weighted, segment: Segment, from: number): Source[] {
  const listOf = (term: number): Postings => {
    const { from: first, to: last } = postingsOf(segment, term);
    return { from: 0, to: from === 0 ? first : firstFrom(segment.docs, from, first, last), last };
  };
  const sources: Source[] = [
    ...terms.map((term) => ({ term, bound: boundOf(term) * SLACK, lists: [listOf(term.term)], count: 0 })),
    ...groups.map((group) => {
      const lists = group.terms.map(({ term }) => listOf(term));
      return { group, bound: boundOfGroup(group) * SLACK, lists, count: 0 };
    }),
  ];
  return sources.filter(({ lists }) => lists.some(({ to, last }) => to < last));
}

/** The documents of a window with a score, of at least `least`, of those marked; they ascend. Overwrites the last. */
function documentsFrom(view: Float32Array, { from, mask }: Part, least: number): Uint16Array {
  const lowest = Math.max(least, LOWEST);
  let count = 0;
  for (let i = 0; i < view.length; i++) if ((view[i] ?? 0) >= lowest) candidates[count++] = from + i;
  if (mask === undefined) return candidates.subarray(0, count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = candidates[i] ?? 0;
    if (mask[doc] !== 0) candidates[kept++] = doc;
  }
  return candidates.subarray(0, kept);
}

/** Those of the documents that {@link documentsFrom} gave that have a score of at least `least`. */
function keepFrom(near: Uint16Array, view: Float32Array, base: number, least: number): Uint16Array {
  let count = 0;
  for (let i = 0; i < near.length; i++) {
    const doc = near[i] ?? 0;
    if ((view[doc - base] ?? 0) >= least) near[count++] = doc;
  }
  return near.subarray(0, count);
}

function collect(docs: Uint16Array, view: Float32Array, { segment, place, from }: Part, top: Top): void {
  const { ids } = segment.forward;
  let { least } = top;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] ?? 0;
    const score = view[doc - from] ?? 0;
    if (score < least) continue;
    top.add(score, ids[doc] ?? 0, place, doc);
    ({ least } = top);
  }
}

/** The score of one document. */
export function scoreOf({ terms, meanLength }: Weighted, segment: Segment, doc: number): number {
  const view = scores.subarray(0, 1).fill(0);
  one[0] = doc;
  const window = { scores: view, base: doc, segment, meanLength };
  for (const term of terms) {
    const { from, to } = postingsOf(segment, term.term);
    addTermTo(one, window, term, { from, to, last: to });
  }
  return at(view, 0);
}
