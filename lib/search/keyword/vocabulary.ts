import { grown } from "../vector/memory.ts";
import { readVarints } from "./postings.ts";

const make = (length: number): Uint32Array => new Uint32Array(length);

/** The terms of every form, by their numbers; 0 is none. */
export class Vocabulary {
  /** The first stem of each form. */
  stems: Uint32Array = new Uint32Array(1);
  /** The first root of each form. */
  roots: Uint32Array = new Uint32Array(1);
  /** Further stems and roots of the few forms that have more than one of either. */
  readonly several = new Map<number, readonly number[]>();
  /** The largest number of a form, and of a term, so far. */
  forms = 0;
  terms = 0;
  /** The form added last to each first stem, and before each form the one with the same; 0 where there is none. */
  #lastOfStem: Uint32Array = new Uint32Array(1);
  #before: Uint32Array = new Uint32Array(1);

  /** Adds the next form with the numbers of its stems and roots. */
  addForm(stems: readonly number[], roots: readonly number[]): void {
    const form = this.forms + 1;
    this.stems = grown(this.stems, form + 1, make);
    this.roots = grown(this.roots, form + 1, make);
    this.stems[form] = stems[0] ?? 0;
    this.roots[form] = roots[0] ?? 0;
    if (stems.length > 1 || roots.length > 1) this.several.set(form, [...stems.slice(1), ...roots.slice(1)]);
    this.terms = Math.max(this.terms, ...stems, ...roots);
    this.forms = form;
    this.#link(form);
  }

  /**
   * Fills this, which is empty, with the first stems and roots of forms, further ones, and how many terms there are.
   */
  restore({ stems, roots, several, terms }: Pick<Vocabulary, "stems" | "roots" | "several" | "terms">): void {
    this.stems = stems;
    this.roots = roots;
    for (const [form, list] of several) this.several.set(form, list);
    this.terms = terms;
    this.forms = stems.length - 1;
    for (let form = 1; form <= this.forms; form++) this.#link(form);
  }

  /** Adds the forms from number `first` on: of each how many stems, these, how many roots, and these, as varints. */
  add(first: number, bytes: Uint8Array): void {
    const numbers = new Uint32Array(bytes.length);
    const count = readVarints(bytes, 0, bytes.length, numbers);
    this.forms = Math.max(this.forms, first - 1);
    for (let i = 0; i < count; ) {
      const stems = listAt(numbers, i);
      const roots = listAt(numbers, i + 1 + stems.length);
      i += 2 + stems.length + roots.length;
      this.addForm(Array.from(stems), Array.from(roots));
    }
  }

  /** Calls `visit` with each form that has this first stem and was added after the form `after`, the latest first. */
  forEachFormOf(stem: number, visit: (form: number) => void, after = 0): void {
    for (let form = this.#lastOfStem[stem] ?? 0; form > after; form = this.#before[form] ?? 0) visit(form);
  }

  #link(form: number): void {
    const stem = this.stems[form] ?? 0;
    this.#lastOfStem = grown(this.#lastOfStem, stem + 1, make);
    this.#before = grown(this.#before, form + 1, make);
    this.#before[form] = this.#lastOfStem[stem] ?? 0;
    this.#lastOfStem[stem] = form;
  }
}

/** The numbers after the one at `at`, which says how many they are. */
function listAt(numbers: Uint32Array, at: number): Uint32Array {
  return numbers.subarray(at + 1, at + 1 + (numbers[at] ?? 0));
}

const bytesOf = (length: number): Uint8Array => new Uint8Array(length);
const numbersOf = (length: number): Uint32Array => new Uint32Array(length);

/** The texts of a table, one after the other in UTF-8, and where each ends; the first entry of `ends` is 0. */
export type TextColumns = { bytes: Uint8Array; ends: Uint32Array };

const LEAST_SLOTS = 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Texts under numbers from 1 in the order in which they were added, each once: about 30 bytes and the text itself. An
 * open hash table over their bytes leads from a text to its number.
 */
export class TextTable {
  #bytes = bytesOf(LEAST_SLOTS);
  #ends = numbersOf(LEAST_SLOTS);
  #count = 0;
  /** Numbers of texts; 0 where a slot is free. At most half of them are taken. */
  #slots = numbersOf(LEAST_SLOTS);
  #scratch = bytesOf(256);

  /** Counts how many texts there are. */
  get size(): number {
    return this.#count;
  }

  /** Returns the number of a text, 0 where there is none. */
  find(text: string): number {
    const length = this.#encode(text);
    return this.#slots[this.#slotOf(this.#scratch, 0, length)] ?? 0;
  }

  /** Returns the number of a text, which is added where it is new. */
  add(text: string): number {
    const length = this.#encode(text);
    const slot = this.#slotOf(this.#scratch, 0, length);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known;
    const start = this.#ends[this.#count] ?? 0;
    this.#bytes = grown(this.#bytes, start + length, bytesOf);
    this.#bytes.set(this.#scratch.subarray(0, length), start);
    this.#count++;
    this.#ends = grown(this.#ends, this.#count + 1, numbersOf);
    this.#ends[this.#count] = start + length;
    this.#slots[slot] = this.#count;
    if (this.#count * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    return this.#count;
  }

  /** Returns the text of a number; "" where it has none. */
  text(number: number): string {
    if (number < 1 || number > this.#count) return "";
    return decoder.decode(this.#bytes.subarray(this.#ends[number - 1] ?? 0, this.#ends[number] ?? 0));
  }

  /** Returns the texts as they can be written to disk; what is added later leaves these views alone. */
  columns(): TextColumns {
    return { bytes: this.#bytes.subarray(0, this.#ends[this.#count]), ends: this.#ends.subarray(0, this.#count + 1) };
  }

  /** Fills an empty table. */
  restore({ bytes, ends }: TextColumns): void {
    this.#bytes = bytes;
    this.#ends = ends;
    this.#count = ends.length - 1;
    let slots = LEAST_SLOTS;
    while (slots < this.#count * 2) slots *= 2;
    this.#rehash(slots);
  }

  /** Puts the bytes of a text into the scratch. Returns how many they are. */
  #encode(text: string): number {
    if (text.length * 3 > this.#scratch.length) this.#scratch = bytesOf(text.length * 3);
    return encoder.encodeInto(text, this.#scratch).written;
  }

  #rehash(slots: number): void {
    this.#slots = numbersOf(slots);
    for (let number = 1; number <= this.#count; number++) {
      const [from, to] = [this.#ends[number - 1] ?? 0, this.#ends[number] ?? 0];
      this.#slots[this.#slotOf(this.#bytes, from, to)] = number;
    }
  }

  /** The slot that has the text of these bytes, or that it would take. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? 0;
      if (number === 0 || this.#isText(number, bytes, from, to)) return slot;
    }
  }

  #isText(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#ends[number - 1] ?? 0;
    if ((this.#ends[number] ?? 0) - start !== to - from) return false;
    for (let i = from; i < to; i++) if (bytes[i] !== this.#bytes[start + i - from]) return false;
    return true;
  }
}
