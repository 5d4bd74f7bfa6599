import { grown } from "../vector/grow.ts";
import { readVarints } from "./varint.ts";

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
