import { grown } from "../vector/memory.ts";
import { type ColumnData, Dictionary } from "../vector/column.ts";

const make = (length: number): Uint32Array => new Uint32Array(length);

/** Lists of texts, one a document, in the order of the documents; each text is kept once. */
export class ListColumn {
  readonly #words = new Dictionary();
  #starts = make(1);
  #codes = make(0);
  #count = 0;

  /** Appends the list of the next document; a text that it repeats counts once. */
  add(texts: readonly string[]): void {
    const from = this.#starts[this.#count] ?? 0;
    const codes = new Set(texts.map((text) => this.#words.code(text)));
    this.#codes = grown(this.#codes, from + codes.size, make);
    let to = from;
    for (const code of codes) this.#codes[to++] = code;
    this.#starts = grown(this.#starts, this.#count + 2, make);
    this.#starts[++this.#count] = to;
  }

  /** Returns the list of a document. */
  at(doc: number): string[] {
    const texts = this.#words.values();
    return Array.from(this.codesOf(doc), (code) => texts[code - 1] ?? "");
  }

  /** Returns the codes of a document's texts: each is one more than the place of its text in {@link texts}. */
  codesOf(doc: number): Uint32Array {
    return this.#codes.subarray(this.#starts[doc] ?? 0, this.#starts[doc + 1] ?? 0);
  }

  /** Returns every text, each once. */
  texts(): readonly string[] {
    return this.#words.values();
  }

  /** Returns it as it can be written to disk: where the lists begin, then their codes. */
  data(): ColumnData {
    const starts = this.#starts.subarray(0, this.#count + 1);
    const codes = this.#codes.subarray(0, this.#starts[this.#count] ?? 0);
    const values = make(starts.length + codes.length);
    values.set(starts);
    values.set(codes, starts.length);
    return { values, words: this.#words.values() };
  }

  /** Makes the lists of `count` documents again. @throws RangeError where the data do not fit them */
  static restore({ values, words }: ColumnData, count: number): ListColumn {
    const column = new ListColumn();
    for (const word of words) column.#words.code(word);
    column.#starts = Uint32Array.from(values.subarray(0, count + 1));
    column.#codes = Uint32Array.from(values.subarray(count + 1));
    column.#count = count;
    if (column.#starts[count] !== column.#codes.length) throw new RangeError("the lists do not fit the documents");
    return column;
  }
}
