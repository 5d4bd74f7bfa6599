import { ARTICLE_FILTER_FIELDS, isNumeric } from "../../contract/filters.ts";
import { at } from "../../std/index.ts";
import { type Column, NumberColumn, TextColumn } from "../vector/column.ts";
import { grown } from "../vector/grow.ts";

/** A document as it stands in the database: its fields in the order of the table of filters. */
export type DocumentRow = {
  id: number;
  seq: number;
  fields: readonly (string | number | null)[];
  words: Uint8Array;
};

/** Documents under small numbers in the order in which they were added: what they are, and their words in order. */
export class Forward {
  readonly columns: readonly Column[] = [...ARTICLE_FILTER_FIELDS.values()].map((type) =>
    isNumeric(type) ? new NumberColumn() : new TextColumn(),
  );
  count = 0;
  ids: Float64Array = new Float64Array(0);
  seqs: Float64Array = new Float64Array(0);
  /** The bytes of the words of every document, one after another, and where each one's begin; see `document.ts`. */
  words: Uint8Array = new Uint8Array(0);
  starts: Uint32Array = new Uint32Array(1);

  add({ id, seq, fields, words }: DocumentRow): void {
    this.#reserve(this.count + 1, this.end + words.length);
    this.ids[this.count] = id;
    this.seqs[this.count] = seq;
    this.words.set(words, this.end);
    this.starts[this.count + 1] = this.end + words.length;
    for (const [i, column] of this.columns.entries()) column.put(this.count, fields[i] ?? null);
    this.count++;
  }

  row(doc: number): DocumentRow {
    return {
      id: at(this.ids, doc),
      seq: at(this.seqs, doc),
      fields: this.columns.map((column) => column.value(doc)),
      words: this.words.subarray(at(this.starts, doc), at(this.starts, doc + 1)),
    };
  }

  /** Gives back what was reserved and is not used. */
  seal(): this {
    this.ids = this.ids.slice(0, this.count);
    this.seqs = this.seqs.slice(0, this.count);
    this.words = this.words.slice(0, this.end);
    this.starts = this.starts.slice(0, this.count + 1);
    return this;
  }

  /** Where the words of the next document begin. */
  get end(): number {
    return at(this.starts, this.count);
  }

  #reserve(count: number, bytes: number): void {
    this.ids = grown(this.ids, count, (length) => new Float64Array(length));
    this.seqs = grown(this.seqs, count, (length) => new Float64Array(length));
    this.starts = grown(this.starts, count + 1, (length) => new Uint32Array(length));
    this.words = grown(this.words, bytes, (length) => new Uint8Array(length));
    for (const column of this.columns) column.reserve(this.ids.length);
  }
}
