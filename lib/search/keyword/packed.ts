import { forEachSearchWord, type WordTerms, wordTermsAt } from "../../text/mod.ts";
import { grown } from "../vector/memory.ts";

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
