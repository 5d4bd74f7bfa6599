import { forEachSearchWord, type WordTerms, wordTermsAt } from "../../text/mod.ts";
import { grown } from "../vector/memory.ts";
import { at } from "../../std/mod.ts";
import type { Forward } from "./forward.ts";

/** Bytes that grow as whole numbers are written to them, seven bits a byte, the lowest first (LEB128). */
export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Takes a whole number from 0 to 2³² − 1. */
  write(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Returns what was written since the last call, in bytes of its own. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

/**
 * The numbers between two places of `bytes`, written to `into`, which has room for `to - from`. Returns how many they
 * are.
 */
export function readVarints(bytes: Uint8Array, from: number, to: number, into: Uint32Array): number {
  let count = 0;
  for (let i = from; i < to; ) {
    let byte = bytes[i++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++] ?? 0;
      value |= (byte & 127) << shift;
    }
    into[count++] = value;
  }
  return count;
}

/**
 * Numbers in units of 16 bits: one below this takes one unit; a larger one, below 2²⁸, takes two, of which the first
 * is this and more. They are read some times as fast as varints, and take about as much room.
 */
export const LONG = 0xf000;

const make = (length: number): Uint32Array => new Uint32Array(length);
let numbers: Uint32Array = make(1024);

/** Varints, as a document's words are in the database, packed. */
export function packed(varints: Uint8Array): Uint16Array {
  numbers = grown(numbers, varints.length, make);
  const count = readVarints(varints, 0, varints.length, numbers);
  let length = count;
  for (let i = 0; i < count; i++) if ((numbers[i] ?? 0) >= LONG) length++;
  const units = new Uint16Array(length);
  let to = 0;
  for (let i = 0; i < count; i++) {
    const number = numbers[i] ?? 0;
    if (number >= LONG) units[to++] = LONG + (number >>> 16);
    units[to++] = number & 0xffff;
  }
  return units;
}

/** As {@link readVarints}, of what is {@link packed}. */
export function readPacked(units: Uint16Array, from: number, to: number, into: Uint32Array): number {
  let count = 0;
  for (let i = from; i < to; ) {
    const unit = units[i++] ?? 0;
    into[count++] = unit < LONG ? unit : ((unit - LONG) << 16) | (units[i++] ?? 0);
  }
  return count;
}

/**
 * The words of a document as the index keeps them: the number of words in the title, then the form of each word of the
 * title and of the content in order, each by its number, as varints.
 */
export class DocumentEncoder {
  readonly #writer = new VarintWriter();
  readonly #numberOf: (terms: WordTerms) => number;
  readonly #title: number[] = [];
  readonly #content: number[] = [];

  /** `numberOf` gives the number of a word's form. */
  constructor(numberOf: (terms: WordTerms) => number) {
    this.#numberOf = numberOf;
  }

  encode({ title, content }: { title: string; content: string }): Uint8Array {
    this.#collect(title, this.#title);
    this.#collect(content, this.#content);
    this.#writer.write(this.#title.length);
    for (const form of this.#title) this.#writer.write(form);
    for (const form of this.#content) this.#writer.write(form);
    return this.#writer.take();
  }

  #collect(text: string, forms: number[]): void {
    forms.length = 0;
    forEachSearchWord(text, (start, end) => {
      const terms = wordTermsAt(text, start, end);
      if (terms.form !== "") forms.push(this.#numberOf(terms));
    });
  }
}

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
