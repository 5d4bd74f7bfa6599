import { at } from "../../std/index.ts";
import type { Forward } from "./forward.ts";
import type { Scratch } from "./scratch.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Documents of a segment at most: their numbers have 16 bits. */
export const SEGMENT_DOCS = 65_536;

/** A posting's byte: how often the term is in the title (two bits) and in the content (six), no more than fits. */
export const TITLE_SHIFT = 6;
const MOST_TITLE = 3;
export const MOST_CONTENT = (1 << TITLE_SHIFT) - 1;

/**
 * Documents with the postings of their terms. The documents of term `terms[i]`, ascending, and their frequencies stand
 * in `docs` and `freqs` from `offsets[i]` to `offsets[i + 1]`. Nothing changes but that documents are taken out.
 */
export type Segment = {
  readonly forward: Forward;
  /** Ascending. */
  readonly terms: Uint32Array;
  readonly offsets: Uint32Array;
  readonly docs: Uint16Array;
  readonly freqs: Uint8Array;
  /** Stems and roots of each document, each time they occur. */
  readonly lengths: Uint32Array;
  /** A hash of the forms of each title. */
  readonly titles: Uint32Array;
  /** The documents in the order of their ids. */
  readonly byId: Uint16Array;
  /** 0 for documents that were taken out. */
  readonly live: Uint8Array;
  /** How many are not. */
  size: number;
};

/** Documents handled between two steps: less than a millisecond. */
const STEP = 128;

/** Inverts documents: the postings of every stem and root. */
export function invert(forward: Forward, vocabulary: Vocabulary, scratch: Scratch): Segment {
  const steps = invertInSteps(forward, vocabulary, scratch);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Inverts documents in short steps. Until it is done `scratch` is its own, and the documents must not change. */
export function* invertInSteps(forward: Forward, vocabulary: Vocabulary, scratch: Scratch): Generator<void, Segment> {
  const { count } = forward;
  const lengths = new Uint32Array(count);
  const titles = new Uint32Array(count);
  const ranks = scratch.ranks(vocabulary.terms);
  const { terms, offsets } = yield* countDocuments(forward, vocabulary, scratch, lengths);
  for (let i = 0; i < terms.length; i++) ranks[terms[i] ?? 0] = i;
  const docs = new Uint16Array(at(offsets, terms.length));
  const freqs = new Uint8Array(docs.length);
  // Where the next posting of each term goes.
  const next = offsets.slice(0, terms.length);
  for (let doc = 0; doc < count; doc++) {
    if (doc % STEP === 0) yield;
    const { content, end } = scratch.decodeTerms(forward, doc, vocabulary);
    const list = scratch.terms;
    for (let i = 0; i < end; i++) {
      const rank = ranks[list[i] ?? 0] ?? 0;
      let place = next[rank] ?? 0;
      if (place > (offsets[rank] ?? 0) && docs[place - 1] === doc) place--;
      else {
        docs[place] = doc;
        next[rank] = place + 1;
      }
      freqs[place] = counted(freqs[place] ?? 0, i < content);
    }
    titles[doc] = hashForms(scratch.forms, 1, 1 + (scratch.forms[0] ?? 0));
  }
  for (const term of terms) ranks[term] = 0;
  const byId = Uint16Array.from({ length: count }, (_, doc) => doc);
  byId.sort((a, b) => (forward.ids[a] ?? 0) - (forward.ids[b] ?? 0));
  return {
    ...{ forward, terms, offsets, docs, freqs, lengths, titles, byId },
    live: new Uint8Array(count).fill(1),
    size: count,
  };
}

/** The terms of all documents, where the postings of each begin, and how long each document is. */
function* countDocuments(
  forward: Forward,
  vocabulary: Vocabulary,
  scratch: Scratch,
  lengths: Uint32Array,
): Generator<void, Pick<Segment, "terms" | "offsets">> {
  const ranks = scratch.ranks(vocabulary.terms);
  const seen: number[] = [];
  const frequency: number[] = [];
  const last: number[] = [];
  for (let doc = 0; doc < forward.count; doc++) {
    if (doc % STEP === 0) yield;
    const { end } = scratch.decodeTerms(forward, doc, vocabulary);
    const list = scratch.terms;
    lengths[doc] = end;
    for (let i = 0; i < end; i++) {
      const term = list[i] ?? 0;
      const rank = ranks[term] ?? 0;
      if (rank === 0) {
        ranks[term] = seen.push(term);
        frequency.push(1);
        last.push(doc);
      } else if (last[rank - 1] !== doc) {
        last[rank - 1] = doc;
        frequency[rank - 1] = (frequency[rank - 1] ?? 0) + 1;
      }
    }
  }
  const terms = Uint32Array.from(seen).sort();
  const offsets = new Uint32Array(terms.length + 1);
  for (let i = 0; i < terms.length; i++) {
    offsets[i + 1] = at(offsets, i) + at(frequency, at(ranks, at(terms, i)) - 1);
  }
  return { terms, offsets };
}

function counted(freq: number, inTitle: boolean): number {
  if (inTitle) return freq >> TITLE_SHIFT < MOST_TITLE ? freq + (1 << TITLE_SHIFT) : freq;
  return (freq & MOST_CONTENT) < MOST_CONTENT ? freq + 1 : freq;
}

/** FNV-1a over the forms from `from` to `to`. */
export function hashForms(forms: ArrayLike<number>, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) {
    const form = forms[i] ?? 0;
    hash = Math.imul(hash ^ (form & 0xffff), 0x01000193);
    hash = Math.imul(hash ^ (form >>> 16), 0x01000193);
  }
  return hash >>> 0;
}

/** Where the postings of a term stand in `docs` and `freqs` of a segment: from `from` to before `to`. */
export function postingsOf({ terms, offsets }: Segment, term: number): { from: number; to: number } {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? { from: at(offsets, low), to: at(offsets, low + 1) } : { from: 0, to: 0 };
}

/** The documents of these ids, taken out or not. */
export function documentsOf({ byId, forward: { ids } }: Segment, articleIds: readonly number[]): number[] {
  const docs: number[] = [];
  for (const id of articleIds) {
    let low = 0;
    let high = byId.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(ids, at(byId, middle)) < id) low = middle + 1;
      else high = middle;
    }
    const doc = byId[low];
    if (doc !== undefined && ids[doc] === id) docs.push(doc);
  }
  return docs;
}
