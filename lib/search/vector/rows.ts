import { at } from "../../std/mod.ts";
import { type CodeStore, createCodeStore, HalfStore, quantizeRow } from "./codes.ts";
import { grown } from "./memory.ts";
import { createSketchStore, type SketchStore } from "./sketch.ts";

/** A chunk of an article and where it lies in the text (code points, end exclusive). */
type Chunk = { no: number; start: number; end: number };

/** Free: no chunk here. Waiting: not yet in the graph. Linked: in the graph. */
const FREE = 0;
export const WAITING = 1;
export const LINKED = 2;

/** The columns as they go into a snapshot; `vectors` are segments of {@link SEGMENT_ROWS} rows of float16. */
export type RowColumns = {
  count: number;
  state: Uint8Array;
  article: Uint32Array;
  no: Int32Array;
  start: Int32Array;
  end: Int32Array;
  vectors: Uint16Array[];
};

/** Rows of a segment of full-precision vectors on disk. */
export const SEGMENT_ROWS = 16_384;

const NONE = -1;
const bytes = (length: number) => new Uint8Array(length);
const ints = (length: number) => new Int32Array(length);
const ordinals = (length: number) => new Uint32Array(length);
const floats = (length: number) => new Float32Array(length);

/**
 * Chunks under row numbers: the vector in float16 as the store keeps it, int8 codes and a sketch for scanning, and
 * columns. A row takes 25 bits a dimension and 41 bytes more. Row numbers of removed chunks are given out again.
 */
export class RowTable {
  readonly dims: number;
  readonly codes: CodeStore;
  /** Undefined where there are none; see {@link createSketchStore}. */
  readonly sketches: SketchStore | undefined;
  #count = 0;
  #live = 0;
  #articles = 0;
  readonly #free: number[] = [];
  readonly #vectors: HalfStore;
  #state = bytes(0);
  #article = ordinals(0);
  #no = ints(0);
  #start = ints(0);
  #end = ints(0);
  /** The next row of the same article, or -1. */
  #next = ints(0);
  #inverseNorm = floats(0);
  /** The first row of each article, by its ordinal. */
  #first = ints(0);
  readonly #scratch: Int8Array;
  #listed = ordinals(0);
  readonly #half: Float16Array;
  readonly #halfBits: Uint16Array;

  constructor(dims: number) {
    this.dims = dims;
    this.codes = createCodeStore(dims);
    this.sketches = createSketchStore(dims);
    this.#vectors = new HalfStore(dims);
    this.#scratch = new Int8Array(dims);
    this.#half = new Float16Array(dims);
    this.#halfBits = new Uint16Array(this.#half.buffer);
  }

  /** Chunks present. */
  get size(): number {
    return this.#live;
  }

  /** One more than the largest row number given out so far. */
  get capacity(): number {
    return this.#count;
  }

  state(row: number): number {
    return at(this.#state, row);
  }

  setState(row: number, state: typeof WAITING | typeof LINKED): void {
    this.#state[row] = state;
  }

  /** The ordinal of the row's article. */
  article(row: number): number {
    return at(this.#article, row);
  }

  /** The ordinals of all rows' articles. */
  ordinals(): Uint32Array {
    return this.#article;
  }

  chunk(row: number): Chunk {
    return { no: at(this.#no, row), start: at(this.#start, row), end: at(this.#end, row) };
  }

  /** The article's rows, newest first. */
  *ofArticle(ordinal: number): Generator<number> {
    let row = this.#first[ordinal] ?? NONE;
    while (row !== NONE) {
      // The caller may remove the row that it was given.
      const next = at(this.#next, row);
      yield row;
      row = next;
    }
  }

  /** Counts how many articles have a row, of all or of those marked in `passes`. */
  articles(passes?: Uint8Array): number {
    if (passes === undefined) return this.#articles;
    let count = 0;
    for (let ordinal = 0; ordinal < passes.length; ordinal++) {
      if (passes[ordinal] === 1 && (this.#first[ordinal] ?? NONE) !== NONE) count++;
    }
    return count;
  }

  /**
   * Adds a chunk. Returns its row, undefined for a vector without direction (zero, or a component that is not finite).
   */
  add(ordinal: number, chunk: Chunk, vector: Float32Array): number | undefined {
    this.#half.set(vector);
    const row = this.#free.at(-1) ?? this.#count;
    this.#reserve(row + 1, ordinal + 1);
    if (!this.#encode(row)) return undefined;
    if (this.#free.length > 0) this.#free.pop();
    else this.#count++;
    this.#vectors.write(row, this.#halfBits);
    this.#no[row] = chunk.no;
    this.#start[row] = chunk.start;
    this.#end[row] = chunk.end;
    this.#state[row] = WAITING;
    this.#attach(row, ordinal);
    return row;
  }

  remove(row: number): void {
    const ordinal = this.article(row);
    if (this.#first[ordinal] === row) this.#first[ordinal] = at(this.#next, row);
    else {
      for (const before of this.ofArticle(ordinal)) {
        if (this.#next[before] === row) this.#next[before] = at(this.#next, row);
      }
    }
    this.#state[row] = FREE;
    this.codes.clear(row);
    this.sketches?.clear(row);
    this.#free.push(row);
    this.#live--;
    if (this.#first[ordinal] === NONE) this.#articles--;
  }

  /** Cosines of the vectors of the first `count` of `rows` and a query of length 1, in double precision. */
  cosines(rows: Uint32Array, count: number, unit: Float64Array, into: Float64Array): void {
    this.#vectors.products(rows, count, unit, into);
    for (let i = 0; i < count; i++) into[i] = (into[i] ?? 0) * (this.#inverseNorm[rows[i] ?? 0] ?? 0);
  }

  /** The row's vector as float32. */
  vector(row: number): Float32Array {
    this.#halfBits.set(this.#vectors.read(row));
    return Float32Array.from(this.#half);
  }

  /**
   * Present rows, all or those of the articles marked in `passes`, and in the given state where one is given. The list
   * is reused by the next call.
   */
  list(passes?: Uint8Array, state?: typeof WAITING | typeof LINKED): Uint32Array {
    this.#listed = grown(this.#listed, this.#count, ordinals);
    const rows = this.#listed;
    let length = 0;
    for (let row = 0; row < this.#count; row++) {
      const is = this.#state[row] ?? FREE;
      if (is === FREE || (state !== undefined && is !== state)) continue;
      if (passes !== undefined && passes[this.#article[row] ?? 0] !== 1) continue;
      rows[length++] = row;
    }
    return rows.subarray(0, length);
  }

  /** The table as it can be written to disk; the arrays are views. */
  columns(): RowColumns {
    const count = this.#count;
    return {
      count,
      state: this.#state.subarray(0, count),
      article: this.#article.subarray(0, count),
      no: this.#no.subarray(0, count),
      start: this.#start.subarray(0, count),
      end: this.#end.subarray(0, count),
      vectors: Array.from({ length: Math.ceil(count / SEGMENT_ROWS) }, (_, i) =>
        this.#vectors.read(i * SEGMENT_ROWS, Math.min(SEGMENT_ROWS, count - i * SEGMENT_ROWS)),
      ),
    };
  }

  /** Fills an empty table; codes are computed again. */
  restore(columns: RowColumns): void {
    for (let row = 0; row < columns.count; row++) {
      const ordinal = at(columns.article, row);
      this.#reserve(row + 1, ordinal + 1);
      this.#count = row + 1;
      if (columns.state[row] === FREE) {
        this.#free.push(row);
        continue;
      }
      const from = columns.vectors[Math.floor(row / SEGMENT_ROWS)];
      const start = (row % SEGMENT_ROWS) * this.dims;
      if (from !== undefined) this.#halfBits.set(from.subarray(start, start + this.dims));
      this.#encode(row);
      this.#vectors.write(row, this.#halfBits);
      this.#no[row] = at(columns.no, row);
      this.#start[row] = at(columns.start, row);
      this.#end[row] = at(columns.end, row);
      this.#state[row] = at(columns.state, row);
      this.#attach(row, ordinal);
    }
  }

  /** Bytes held. */
  bytes(): number {
    const listed = this.#listed.byteLength;
    const sketches = this.sketches?.bytes() ?? 0;
    return (
      this.codes.bytes() + sketches + this.#vectors.bytes() + listed + this.#state.length * 25 + this.#first.length * 4
    );
  }

  /** Quantises the vector in the half-precision buffer into the row. False when it has no direction. */
  #encode(row: number): boolean {
    const quantized = quantizeRow(Float32Array.from(this.#half), this.#scratch);
    if (quantized === undefined) return false;
    // float32 rounds the scale: a millionth covers that.
    const precision = { scale: quantized.scale / quantized.norm, error: quantized.error / quantized.norm + 1e-6 };
    this.codes.write(row, this.#scratch, precision);
    this.sketches?.write(row, this.#scratch);
    this.#inverseNorm[row] = 1 / quantized.norm;
    return true;
  }

  #attach(row: number, ordinal: number): void {
    this.#article[row] = ordinal;
    this.#next[row] = at(this.#first, ordinal);
    if (this.#next[row] === NONE) this.#articles++;
    this.#first[ordinal] = row;
    this.#live++;
  }

  #reserve(rows: number, articles: number): void {
    if (articles > this.#first.length) {
      const before = this.#first.length;
      this.#first = grown(this.#first, articles, ints);
      this.#first.fill(NONE, before);
    }
    if (rows <= this.#state.length) return;
    this.#state = grown(this.#state, rows, bytes);
    this.#article = grown(this.#article, rows, ordinals);
    this.#no = grown(this.#no, rows, ints);
    this.#start = grown(this.#start, rows, ints);
    this.#end = grown(this.#end, rows, ints);
    this.#next = grown(this.#next, rows, ints);
    this.#inverseNorm = grown(this.#inverseNorm, rows, floats);
  }
}
