import { kthLargest } from "../keyword/top.ts";
import { RowMemory, sketchModule } from "./memory.ts";
import type { QuantizedQuery } from "./codes.ts";

/**
 * Writes the numbers (u32) of those rows to `out` whose estimate is at least `least` and less than `below`, in groups
 * as {@link Estimate} has them, the first row numbered `first`. Returns how many they are.
 */
type List = (
  group: number,
  groups: number,
  bytes: number,
  first: number,
  least: number,
  below: number,
  out: number,
) => number;

/**
 * Estimates what the cosines of rows in `groups` of 16 may be at most. A group is `bytes` (a multiple of 4) times a
 * byte of each row, then a float32 of each, its inverse, then another one, the estimate that is written. For each half
 * of a byte, the lower one first, `tables` has the 16 summands of the query (u8, at most 31). The estimate of a row is
 * (`scale` · sum − `offset`) · inverse + `spread` · √(inverse² − 1). All addresses are bytes in the imported memory.
 */
type Estimate = (
  group: number,
  groups: number,
  bytes: number,
  tables: number,
  scale: number,
  offset: number,
  spread: number,
) => void;

/** A bit each of fewer dimensions says too little, and less than chance has it of vectors that are mostly zero. */
const LEAST_DIMS = 64;
/** Rows whose bits stand together. */
const GROUP = 16;
/** Rows of one list. */
const LISTED = 65_536;
/** Largest value in a table of summands: eight of them fit into a byte. */
const LARGEST = 31;
/** Standard deviations between the estimate of a row and what it may reach at most. */
const DEVIATIONS = 3;
/** Rows that are looked at, at most, to learn what the best ones reach. */
const SAMPLE = 2048;

/**
 * A bit a dimension of each row, by which most of those that are far from a query are told at a fifth of the cost of
 * their int8 codes. The vectors are turned at random, and the sign of each component is kept: a corner of a cube. The
 * cosine of corner and query, divided by that of corner and row, is an unbiased estimate of the cosine of row and query
 * with a known standard deviation, about .75 / √dims: RaBitQ, Gao and Long 2024, https://arxiv.org/abs/2405.12497.
 */
export class SketchStore {
  readonly #bits: number;
  readonly #signs: Int8Array;
  readonly #turned: Float64Array;
  readonly #store: RowMemory;
  readonly #estimate: Estimate;
  readonly #list: List;
  readonly #at: { list: number; rows: number };
  #views: { bytes: Uint8Array; floats: Float32Array; tables: Uint8Array; list: Uint32Array };
  readonly #sample = new Float64Array(SAMPLE);
  #rows = 0;

  constructor(dims: number) {
    this.#bits = 2 ** Math.ceil(Math.log2(Math.max(LEAST_DIMS, dims)));
    this.#signs = randomSigns(this.#bits);
    this.#turned = new Float64Array(this.#bits);
    const list = this.#bits * 4;
    this.#at = { list, rows: list + LISTED * 4 };
    this.#store = new RowMemory(this.#at.rows);
    const env = { memory: this.#store.memory };
    const { estimate, list: lister } = new WebAssembly.Instance(new WebAssembly.Module(sketchModule), { env }).exports;
    if (!isEstimate(estimate) || !isList(lister)) throw new TypeError("the module lacks a function");
    this.#estimate = estimate;
    this.#list = lister;
    this.#views = this.#take();
  }

  /** Keeps the sketch of a row's codes, not all zero. Throws {@link RangeError} when memory is exhausted: 4 GiB. */
  write(row: number, codes: Int8Array): void {
    this.#reserve(row);
    const turned = this.#turn(codes);
    let [sum, squares] = [0, 0];
    const at = this.#startOf(row) + (row % GROUP);
    for (let i = 0; i < turned.length; i += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) {
        const component = turned[i + bit] ?? 0;
        if (component >= 0) byte |= 1 << bit;
        sum += Math.abs(component);
        squares += component * component;
      }
      this.#views.bytes[at + 2 * i] = byte;
    }
    this.#views.floats[this.#inverseOf(row)] = Math.sqrt(squares * this.#bits) / sum;
  }

  /** Empties a row: it is in no list. */
  clear(row: number): void {
    this.#reserve(row);
    this.#views.floats[this.#inverseOf(row)] = Number.NaN;
  }

  /** Estimates for all rows what their cosine with the query is at most; one row in a thousand reaches more. */
  estimate(query: QuantizedQuery): void {
    const turned = this.#turn(query.unit);
    const { tables } = this.#views;
    let [largest, all] = [0, 0];
    for (let i = 0; i < turned.length; i += 4) {
      let most = 0;
      for (let j = i; j < i + 4; j++) most += Math.abs(turned[j] ?? 0);
      largest = Math.max(largest, most);
      all += most;
    }
    // For each four components and each of the sixteen signs of a row there: what they add to a sum, from 0 on.
    const step = (2 * largest) / LARGEST;
    for (let i = 0; i < turned.length; i += 4) {
      for (let signs = 0; signs < 16; signs++) {
        let sum = 0;
        for (let j = 0; j < 4; j++) {
          const component = turned[i + j] ?? 0;
          sum += Math.abs(component) + ((signs >> j) & 1 ? component : -component);
        }
        tables[4 * i + signs] = Math.round(sum / step);
      }
    }
    // A turn makes vectors √bits longer, and so are the corners of the cube.
    const [scale, offset, spread] = [step / this.#bits, all / this.#bits, DEVIATIONS / Math.sqrt(this.#bits - 1)];
    this.#estimate(this.#at.rows, this.#rows / GROUP, this.#bits / 8, 0, scale, offset, spread);
  }

  /** About what `count` rows are estimated to reach; minus infinity where there are not many more rows. */
  reachedBy(count: number): number {
    const { floats } = this.#views;
    const step = Math.ceil(this.#rows / SAMPLE);
    let length = 0;
    for (let row = 0; row < this.#rows; row += step) {
      const estimate = floats[this.#inverseOf(row) + GROUP] ?? 0;
      this.#sample[length++] = Number.isNaN(estimate) ? Number.NEGATIVE_INFINITY : estimate;
    }
    return kthLargest(this.#sample.subarray(0, length), Math.ceil(count / step));
  }

  /**
   * Rows that are estimated to reach `least` and not `below`, in their order, as lists of which each is valid until the
   * next one; `least` is asked for each again.
   */
  *lists(least: () => number, below: number): Generator<Uint32Array> {
    for (let from = 0; from < this.#rows; from += LISTED) {
      const groups = Math.min(LISTED, this.#rows - from) / GROUP;
      const at = this.#startOf(from);
      const count = this.#list(at, groups, this.#bits / 8, from, least(), below, this.#at.list);
      yield this.#views.list.subarray(0, count);
    }
  }

  /** Bytes held. */
  bytes(): number {
    return this.#store.length;
  }

  /** Turns a vector: signs at random, then the Walsh-Hadamard transform. */
  #turn(vector: Int8Array | Float64Array): Float64Array {
    const turned = this.#turned.fill(0);
    for (let i = 0; i < vector.length; i++) turned[i] = (vector[i] ?? 0) * (this.#signs[i] ?? 0);
    for (let half = 1; half < turned.length; half *= 2) {
      for (let start = 0; start < turned.length; start += 2 * half) {
        for (let i = start; i < start + half; i++) {
          const a = turned[i] ?? 0;
          const b = turned[i + half] ?? 0;
          turned[i] = a + b;
          turned[i + half] = a - b;
        }
      }
    }
    return turned;
  }

  /** Where the group of a row begins, in bytes: see {@link Estimate}. */
  #startOf(row: number): number {
    return this.#at.rows + Math.floor(row / GROUP) * GROUP * (this.#bits / 8 + 8);
  }

  #inverseOf(row: number): number {
    return (this.#startOf(row) + GROUP * (this.#bits / 8)) / 4 + (row % GROUP);
  }

  /** Makes the rows up to `row`, empty. */
  #reserve(row: number): void {
    const end = this.#startOf(row + GROUP);
    if (end > this.#store.length) {
      this.#store.reserve(end);
      this.#views = this.#take();
    }
    for (; this.#rows <= row; this.#rows += GROUP) {
      const at = this.#inverseOf(this.#rows);
      this.#views.floats.fill(Number.NaN, at, at + GROUP);
    }
  }

  #take() {
    const { buffer } = this.#store.memory;
    return {
      bytes: new Uint8Array(buffer),
      floats: new Float32Array(buffer),
      tables: new Uint8Array(buffer, 0, this.#bits * 4),
      list: new Uint32Array(buffer, this.#at.list, LISTED),
    };
  }
}

/** A store of sketches; undefined for few dimensions, and where the machine has no 128-bit instructions. */
export function createSketchStore(dims: number): SketchStore | undefined {
  return dims >= LEAST_DIMS && WebAssembly.validate(sketchModule) ? new SketchStore(dims) : undefined;
}

function isEstimate(value: unknown): value is Estimate {
  return typeof value === "function";
}

function isList(value: unknown): value is List {
  return typeof value === "function";
}

/** Signs that look like chance and are always the same (xorshift). */
function randomSigns(length: number): Int8Array {
  let state = 0x9e3779b9;
  return Int8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state < 0 ? -1 : 1;
  });
}
