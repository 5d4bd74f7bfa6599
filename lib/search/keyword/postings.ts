import { at } from "../../std/mod.ts";
import type { Forward } from "./forward.ts";

/** Documents whose scores are added up at a time: so few that the scores stay in the fastest memory. */
export const WINDOW = 8192;

/** A posting's byte: how often the term is in the title (two bits) and in the content (six), no more than fits. */
export const TITLE_SHIFT = 6;
export const MOST_CONTENT = (1 << TITLE_SHIFT) - 1;

/**
 * Documents with the postings of their terms, those that are mostly in Arabic script before the others. The documents
 * of term `terms[i]`, ascending, and their frequencies stand in `docs` and `freqs` from `offsets[i]` to
 * `offsets[i + 1]`. Nothing changes but that documents are taken out.
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
  /** The first document that is not in Arabic script. */
  readonly latin: number;
  /** 0 for documents that were taken out. */
  readonly live: Uint8Array;
  /** Says how many are not, and how many of them are in Arabic script. */
  size: number;
  inArabic: number;
};

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

/** Tells where the postings of a term stand in `docs` and `freqs` of a segment: from `from` to before `to`. */
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

/** The bits of a posting that say how often its term is in a field. */
const FIELD_BITS = { title: 3 << TITLE_SHIFT, content: MOST_CONTENT, any: 0xff } as const;

/** The documents of a segment that hold all of the terms in a field, or in any. */
export function documentsWithAll(
  segment: Segment,
  terms: readonly number[],
  field: keyof typeof FIELD_BITS = "any",
): number[] {
  const lists = [...new Set(terms)].map((term) => postingsOf(segment, term));
  lists.sort((a, b) => a.to - a.from - (b.to - b.from));
  const { docs, freqs } = segment;
  const bits = FIELD_BITS[field];
  let common: number[] | undefined;
  for (const { from, to } of lists) {
    const kept: number[] = [];
    if (common === undefined) {
      for (let i = from; i < to; i++) if (((freqs[i] ?? 0) & bits) !== 0) kept.push(docs[i] ?? 0);
    } else {
      let i = from;
      for (const doc of common) {
        i = firstFrom(docs, doc, i, to);
        if (i < to && docs[i] === doc && ((freqs[i] ?? 0) & bits) !== 0) kept.push(doc);
      }
    }
    common = kept;
  }
  return common ?? [];
}

/** The first place from `from` on, below `to`, of a number of at least `doc`: by growing steps, then by halves. */
export function firstFrom(docs: Uint16Array, doc: number, from: number, to: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (docs[low + step] ?? 0) < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(to, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((docs[middle] ?? 0) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
