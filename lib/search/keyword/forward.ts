import { ARTICLE_FILTER_FIELDS, isNumeric } from "../../contract/filter-table.ts";
import { at } from "../../std/mod.ts";
import { type Column, type ColumnData, Dictionary, NumberColumn, TextColumn } from "../vector/column.ts";
import { grown } from "../vector/memory.ts";

const make = (length: number): Uint32Array => new Uint32Array(length);

/** Lists of texts, one a document, in the order of the documents; each text is kept once. */
class ListColumn {
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

/**
 * A document: its fields in the order of the table of filters, its words {@link packed}; `time`: when it was published,
 * else when it came, in milliseconds since 1970.
 */
export type DocumentRow = {
  id: number;
  seq: number;
  fields: readonly (string | number | null)[];
  words: Uint16Array;
  time?: number;
  authors?: readonly string[];
};

/** The arrays that a {@link Forward} is restored from. */
type ForwardArrays = Pick<Forward, "ids" | "seqs" | "times" | "words" | "starts">;

/** Documents under small numbers in the order in which they were added: what they are, and their words in order. */
export class Forward {
  readonly columns: readonly Column[] = [...ARTICLE_FILTER_FIELDS.values()].map((type) =>
    isNumeric(type) ? new NumberColumn() : new TextColumn(),
  );
  count = 0;
  readonly ids: Float64Array;
  readonly seqs: Float64Array;
  readonly times: Float64Array;
  readonly authors: ListColumn;
  /** The words of every document, {@link packed}, one after another, and where each one's begin; see `document.ts`. */
  readonly words: Uint16Array;
  readonly starts: Uint32Array;

  /** Makes room for so many documents, whose words take so many units in all; or takes these arrays, which are full. */
  constructor(count: number, units: number, arrays?: ForwardArrays & { authors: ListColumn }) {
    this.ids = arrays?.ids ?? new Float64Array(count);
    this.times = arrays?.times ?? new Float64Array(count);
    this.authors = arrays?.authors ?? new ListColumn();
    this.seqs = arrays?.seqs ?? new Float64Array(count);
    this.words = arrays?.words ?? new Uint16Array(units);
    this.starts = arrays?.starts ?? new Uint32Array(count + 1);
    if (arrays === undefined) for (const column of this.columns) column.reserve(count);
    else this.count = count;
  }

  /** Makes what was written to disk again. Throws RangeError where its parts do not fit each other. */
  static restore({
    fields,
    authors,
    ...arrays
  }: ForwardArrays & { fields: readonly ColumnData[]; authors: ColumnData }): Forward {
    const count = arrays.ids.length;
    const lists = { authors: ListColumn.restore(authors, count) };
    const forward = new Forward(count, arrays.words.length, { ...arrays, ...lists });
    if (fields.length !== forward.columns.length || arrays.starts.length !== count + 1) {
      throw new RangeError("the documents do not fit each other");
    }
    for (const [i, data] of fields.entries()) at(forward.columns, i).restore(data);
    return forward;
  }

  /** All of these documents. */
  static of(rows: readonly DocumentRow[]): Forward {
    const forward = new Forward(
      rows.length,
      rows.reduce((sum, { words }) => sum + words.length, 0),
    );
    for (const row of rows) forward.add(row);
    return forward;
  }

  /** Throws RangeError when there is no room for it. */
  add({ id, seq, fields, words, time = 0, authors = [] }: DocumentRow): void {
    const start = at(this.starts, this.count);
    this.words.set(words, start);
    this.ids[this.count] = id;
    this.seqs[this.count] = seq;
    this.times[this.count] = time;
    this.authors.add(authors);
    for (const [i, column] of this.columns.entries()) column.put(this.count, fields[i] ?? null);
    this.starts[++this.count] = start + words.length;
  }

  row(doc: number): DocumentRow {
    return {
      id: at(this.ids, doc),
      seq: at(this.seqs, doc),
      time: at(this.times, doc),
      authors: this.authors.at(doc),
      fields: this.columns.map((column) => column.value(doc)),
      words: this.words.subarray(at(this.starts, doc), at(this.starts, doc + 1)),
    };
  }
}
