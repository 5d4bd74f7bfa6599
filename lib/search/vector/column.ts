import type { FilterKind } from "../../contract/filter-table.ts";
import { at } from "../../std/mod.ts";
import { passes } from "../filters.ts";
import { grown } from "./memory.ts";

/** Small numbers for repeated strings, so that a column of them is an array of integers. Code 0 stands for null. */
export class Dictionary {
  readonly #codes = new Map<string, number>();
  readonly #values: string[] = [];

  /** The code of `value`, given out when it is first seen. */
  code(value: string | null): number {
    if (value === null) return 0;
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    this.#values.push(value);
    this.#codes.set(value, this.#values.length);
    return this.#values.length;
  }

  /** Every value in the order of the codes, from code 1. */
  values(): readonly string[] {
    return this.#values;
  }
}

/** Holds what a column holds: numbers, or codes of the texts in `words`. */
export type ColumnData = { values: Uint32Array | Float64Array; words: readonly string[] };

/** A field of articles by their ordinals. */
export interface Column {
  put(ordinal: number, value: string | number | null): void;
  value(ordinal: number): string | number | null;
  /** Makes room for `length` ordinals. */
  reserve(length: number): void;
  /** Sets to 0 what is marked and does not pass the filter; a missing value passes none. */
  keep(marked: Uint8Array, kind: FilterKind, wanted: string | number): void;
  /** Sets to 0 what is marked and has a value that is not allowed, or none. */
  keepAllowed(marked: Uint8Array, allowed: (value: string | number) => boolean): void;
  /** The first `count` values, as a view. */
  data(count: number): ColumnData;
  /** Fills an empty column. */
  restore(data: ColumnData): void;
}

/** Texts, each kept once: 4 bytes an article. */
export class TextColumn implements Column {
  readonly #words = new Dictionary();
  #codes: Uint32Array = new Uint32Array(0);

  put(ordinal: number, value: string | null): void {
    this.#codes[ordinal] = this.#words.code(value);
  }

  value(ordinal: number): string | null {
    const code = at(this.#codes, ordinal);
    return code === 0 ? null : at(this.#words.values(), code - 1);
  }

  reserve(length: number): void {
    this.#codes = grown(this.#codes, length, (size) => new Uint32Array(size));
  }

  keep(marked: Uint8Array, kind: FilterKind, wanted: string | number): void {
    this.keepAllowed(marked, (word) => passes(kind, word, wanted));
  }

  keepAllowed(marked: Uint8Array, allowed: (word: string) => boolean): void {
    // Code 0, no text, is never allowed.
    const good = Uint8Array.from(["", ...this.#words.values()], (word, code) => Number(code > 0 && allowed(word)));
    const codes = this.#codes;
    for (let i = 0; i < marked.length; i++) if (good[codes[i] ?? 0] === 0) marked[i] = 0;
  }

  data(count: number): ColumnData {
    return { values: this.#codes.subarray(0, count), words: this.#words.values() };
  }

  restore({ values, words }: ColumnData): void {
    for (const word of words) this.#words.code(word);
    this.#codes = Uint32Array.from(values);
  }
}

/** Numbers, NaN for a missing one: 8 bytes an article. */
export class NumberColumn implements Column {
  #values: Float64Array = new Float64Array(0);

  put(ordinal: number, value: number | null): void {
    this.#values[ordinal] = value ?? Number.NaN;
  }

  value(ordinal: number): number | null {
    const value = at(this.#values, ordinal);
    return Number.isNaN(value) ? null : value;
  }

  reserve(length: number): void {
    this.#values = grown(this.#values, length, (size) => new Float64Array(size));
  }

  keep(marked: Uint8Array, kind: FilterKind, wanted: string | number): void {
    if (kind !== "atMost") keepFrom(marked, this.#values, Number(wanted));
    if (kind !== "atLeast") keepTo(marked, this.#values, Number(wanted));
  }

  keepAllowed(marked: Uint8Array, allowed: (value: number) => boolean): void {
    keepValues(marked, this.#values, allowed);
  }

  data(count: number): ColumnData {
    return { values: this.#values.subarray(0, count), words: [] };
  }

  restore({ values }: ColumnData): void {
    this.#values = Float64Array.from(values);
  }
}

// NaN passes neither comparison. A loop to itself is compiled at once; two in the method above were twenty times as
// slow.

function keepFrom(marked: Uint8Array, values: Float64Array, least: number): void {
  for (let i = 0; i < marked.length; i++) if (!((values[i] ?? 0) >= least)) marked[i] = 0;
}

function keepTo(marked: Uint8Array, values: Float64Array, most: number): void {
  for (let i = 0; i < marked.length; i++) if (!((values[i] ?? 0) <= most)) marked[i] = 0;
}

function keepValues(marked: Uint8Array, values: Float64Array, allowed: (value: number) => boolean): void {
  for (let i = 0; i < marked.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value) || !allowed(value)) marked[i] = 0;
  }
}
