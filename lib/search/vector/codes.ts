import { halfModule, RowMemory, scanModule } from "./memory.ts";

/**
 * A vector as int8: component ≈ scale × code, the largest at ±127. `error` is the Euclidean length of what the codes
 * leave out, so by Cauchy–Schwarz the dot product with any vector y is off by at most error × |y|. `norm` is the
 * vector's own length.
 */
type QuantizedRow = { scale: number; error: number; norm: number };

/**
 * Writes the codes of `vector` into `codes`. Returns undefined when a component is not finite or all are zero: such a
 * vector has no direction.
 */
export function quantizeRow(vector: Float32Array, codes: Int8Array): QuantizedRow | undefined {
  let largest = 0;
  let squares = 0;
  for (const component of vector) {
    largest = Math.max(largest, Math.abs(component));
    squares += component * component;
  }
  if (!Number.isFinite(squares) || largest === 0 || squares === 0) return undefined;
  const scale = largest / 127;
  let left = 0;
  for (let i = 0; i < vector.length; i++) {
    const component = vector[i] ?? 0;
    const code = Math.round(component / scale);
    codes[i] = code;
    const rest = component - code * scale;
    left += rest * rest;
  }
  return { scale, error: Math.sqrt(left), norm: Math.sqrt(squares) };
}

/** A query as int16 for exact products and as int8 for the graph; the query itself is scaled to length 1. */
export type QuantizedQuery = {
  unit: Float64Array;
  wide: Int16Array;
  narrow: Int8Array;
  scale: number;
  error: number;
};

/**
 * Quantises a query so that its dot product with any row of int8 codes stays within 32 bits. Returns undefined for a
 * query without direction; throws {@link RangeError} for a component that is not finite.
 */
export function quantizeQuery(query: Float32Array): QuantizedQuery | undefined {
  let squares = 0;
  let largest = 0;
  for (let i = 0; i < query.length; i++) {
    const component = query[i] ?? 0;
    squares += component * component;
    largest = Math.max(largest, Math.abs(component));
  }
  if (!Number.isFinite(squares)) throw new RangeError("a query vector must have finite components");
  if (squares === 0) return undefined;
  const norm = Math.sqrt(squares);
  const unit = new Float64Array(query.length);
  for (let i = 0; i < query.length; i++) unit[i] = (query[i] ?? 0) / norm;
  // |row codes| ≤ 127 √dims, so the product is at most 127 √dims × |wide| < 2³⁰.
  const finest = Math.min((32_767 * norm) / largest, 2 ** 30 / (127 * Math.sqrt(query.length)));
  const wide = new Int16Array(query.length);
  const narrow = new Int8Array(query.length);
  let left = 0;
  for (let i = 0; i < unit.length; i++) {
    const component = unit[i] ?? 0;
    const code = Math.round(component * finest);
    wide[i] = code;
    narrow[i] = Math.round((component * norm * 127) / largest);
    const rest = component - code / finest;
    left += rest * rest;
  }
  return { unit, wide, narrow, scale: 1 / finest, error: Math.sqrt(left) };
}

/**
 * For each of `count` row numbers (u32) at `list`, an even number of them, the dot product of that row of `rows`
 * (`dims` float16, finite) with `query` (`dims` float64), in double precision and the order of the components, written
 * to `out` (float64). All addresses are bytes in the imported memory.
 */
type Products = (rows: number, dims: number, list: number, count: number, query: number, out: number) => void;

/**
 * Scores `count` rows: those numbered (u32) at `list`, or where that is 0 those from `first` on. A row of `rows` is
 * `dims` int8 codes, a multiple of 16, and two float32: its scale and its error. Its score is the dot product of its
 * codes and `query` (`dims` int16), times both scales, certain within the row's error + `error` · (1 + the row's).
 * Rows whose score may reach `floor` are written to `out` (u32), and to `bounds` the least and the most that their
 * score can be (float64 each). Returns how many they are. All addresses are bytes in the imported memory. A dot product
 * that leaves 32 bits wraps. Of an odd number of rows one more is read.
 */
type Scan = (
  rows: number,
  dims: number,
  list: number,
  first: number,
  count: number,
  query: number,
  scale: number,
  error: number,
  floor: number,
  out: number,
  bounds: number,
) => number;

/** Holds what the dot product of a row's codes is multiplied by to give a cosine, and how far off that can be. */
type Precision = { scale: number; error: number };

/** Row numbers, or all from one on and before another. */
export type RowSet = Uint32Array | { from: number; to: number };

/** Rows, and of each in turn the least and the most that its cosine can be; the first `count` of them. */
type Kept = { count: number; rows: Uint32Array; bounds: Float64Array };

/** Rows of int8 codes, scanned for those near a query. */
export interface CodeStore {
  /** Length of a row's codes: the dimensions rounded up to a multiple of 16, the rest zero. */
  readonly width: number;
  /**
   * Keeps `codes` (length ≤ width) as row `row`; rows up to it come to be, empty. Throws {@link RangeError} when memory
   * is exhausted.
   */
  write(row: number, codes: Int8Array, precision: Precision): void;
  /** Empties a row: no scan finds it. */
  clear(row: number): void;
  /** The codes of a row, a copy. */
  read(row: number): Int8Array;
  /**
   * Those among at most {@link BLOCK} rows whose cosine with the query may be `floor` or more. The result is reused by
   * the next call.
   */
  scan(among: RowSet, query: QuantizedQuery, floor: number): Kept;
  /** Bytes that the store holds. */
  bytes(): number;
}

/** Rows of one scan. */
export const BLOCK = 4096;
/** Scale and error, float32 each, after the codes. */
const PRECISION_BYTES = 8;

/** A store in WebAssembly memory where the machine has its 128-bit instructions, else in plain arrays. */
export function createCodeStore(dims: number): CodeStore {
  const width = Math.ceil(dims / 16) * 16;
  return WebAssembly.validate(scanModule) ? wasmCodes(width) : plainCodes(width);
}

/** Counts how many rows a set has. */
export function sizeOf(set: RowSet): number {
  return "from" in set ? Math.max(0, set.to - set.from) : set.length;
}

/** The store over {@link scanModule}. */
export function wasmCodes(width: number): CodeStore {
  const stride = width + PRECISION_BYTES;
  const listAt = Math.ceil((width * 2) / 64) * 64;
  const outAt = listAt + BLOCK * 4;
  const boundsAt = outAt + BLOCK * 4;
  const rowsAt = boundsAt + BLOCK * 16;
  const store = new RowMemory(rowsAt);
  const { memory } = store;
  const { scan } = new WebAssembly.Instance(new WebAssembly.Module(scanModule), { env: { memory } }).exports;
  if (!isScan(scan)) throw new TypeError("the module has no function scan");
  const take = () => ({
    codes: new Int8Array(memory.buffer),
    numbers: new DataView(memory.buffer),
    query: new Int16Array(memory.buffer, 0, width),
    list: new Uint32Array(memory.buffer, listAt, BLOCK),
    rows: new Uint32Array(memory.buffer, outAt, BLOCK),
    bounds: new Float64Array(memory.buffer, boundsAt, BLOCK * 2),
  });
  let views = take();
  let rows = 0;

  const empty = (row: number) => views.numbers.setFloat32(rowsAt + row * stride + width, Number.NaN, true);
  /** Makes the rows up to `row`, and room for one more, which the module may read in vain. */
  const reserve = (row: number) => {
    if (row < rows) return;
    if (rowsAt + (row + 2) * stride > views.codes.length) {
      store.reserve(rowsAt + (row + 2) * stride);
      views = take();
    }
    for (; rows <= row; rows++) empty(rows);
  };

  return {
    width,
    write(row, codes, { scale, error }) {
      reserve(row);
      const start = rowsAt + row * stride;
      views.codes.set(codes, start);
      views.codes.fill(0, start + codes.length, start + width);
      views.numbers.setFloat32(start + width, scale, true);
      views.numbers.setFloat32(start + width + 4, error, true);
    },
    clear(row) {
      reserve(row);
      empty(row);
    },
    read: (row) => views.codes.slice(rowsAt + row * stride, rowsAt + row * stride + width),
    scan(among, { wide, scale, error }, floor) {
      views.query.fill(0);
      views.query.set(wide);
      const [list, first] = "from" in among ? [0, among.from] : [listAt, 0];
      if (!("from" in among)) views.list.set(among);
      const last = "from" in among ? Math.min(among.to, rows) : among.length;
      const size = Math.max(0, last - first);
      const count = scan(rowsAt, width, list, first, size, 0, scale, error, floor, outAt, boundsAt);
      return { count, rows: views.rows, bounds: views.bounds };
    },
    bytes: () => store.length,
  };
}

function isScan(value: unknown): value is Scan {
  return typeof value === "function";
}

/** The same in plain JavaScript, about ten times slower. */
export function plainCodes(width: number): CodeStore {
  const empty = { codes: new Int8Array(width), scale: Number.NaN, error: 0 };
  const stored: (Precision & { codes: Int8Array })[] = [];
  const kept: Kept = { count: 0, rows: new Uint32Array(BLOCK), bounds: new Float64Array(BLOCK * 2) };
  const product = (codes: Int8Array, query: Int16Array): number => {
    let sum = 0;
    for (let i = 0; i < query.length; i++) sum += (codes[i] ?? 0) * (query[i] ?? 0);
    return sum;
  };
  const reserve = (row: number) => {
    while (stored.length <= row) stored.push(empty);
  };
  return {
    width,
    write(row, codes, { scale, error }) {
      reserve(row);
      const own = new Int8Array(width);
      own.set(codes);
      stored[row] = { codes: own, scale: Math.fround(scale), error: Math.fround(error) };
    },
    clear(row) {
      reserve(row);
      stored[row] = empty;
    },
    read: (row) => (stored[row] ?? empty).codes.slice(),
    scan(among, { wide, scale, error }, floor) {
      kept.count = 0;
      for (let i = 0; i < sizeOf(among); i++) {
        const row = "from" in among ? among.from + i : (among[i] ?? 0);
        const { codes, ...own } = stored[row] ?? empty;
        const score = product(codes, wide) * own.scale * scale;
        const bound = own.error + error * (1 + own.error);
        if (!(score + bound >= floor)) continue;
        kept.rows[kept.count] = row;
        kept.bounds[2 * kept.count] = score - bound;
        kept.bounds[2 * kept.count + 1] = score + bound;
        kept.count++;
      }
      return kept;
    },
    bytes: () => stored.length * (width + PRECISION_BYTES),
  };
}

/** Rows compared in one call of the module. */
const HALF_BLOCK = 1024;

/** Vectors of float16 by row numbers, in WebAssembly memory. */
export class HalfStore {
  readonly #dims: number;
  readonly #store: RowMemory;
  readonly #products: Products;
  /** Says where the list, the query, the products and the rows are, in bytes. */
  readonly #at: { query: number; out: number; rows: number };
  #views: { bits: Uint16Array; list: Uint32Array; query: Float64Array; out: Float64Array };

  constructor(dims: number) {
    this.#dims = dims;
    const query = HALF_BLOCK * 4;
    const out = query + dims * 8;
    this.#at = { query, out, rows: out + HALF_BLOCK * 8 };
    this.#store = new RowMemory(this.#at.rows);
    const env = { memory: this.#store.memory };
    const { products } = new WebAssembly.Instance(new WebAssembly.Module(halfModule), { env }).exports;
    if (!isProducts(products)) throw new TypeError("the module has no function products");
    this.#products = products;
    this.#views = this.#take();
  }

  /**
   * Keeps the bits of a vector (length dims) as row `row`. Throws {@link RangeError} when memory is exhausted: 4 GiB.
   */
  write(row: number, bits: Uint16Array): void {
    const end = this.#at.rows + (row + 1) * this.#dims * 2;
    if (end > this.#store.length) {
      this.#store.reserve(end);
      this.#views = this.#take();
    }
    this.#views.bits.set(bits, row * this.#dims);
  }

  /** The bits of `count` rows from `row` on, a view until the next write. */
  read(row: number, count = 1): Uint16Array {
    return this.#views.bits.subarray(row * this.#dims, (row + count) * this.#dims);
  }

  /**
   * The dot products of the first `count` of `rows` with `query` (length dims), in double precision and the order of
   * the components, into `into`.
   */
  products(rows: Uint32Array, count: number, query: Float64Array, into: Float64Array): void {
    const { list, out } = this.#views;
    this.#views.query.set(query);
    for (let from = 0; from < count; from += HALF_BLOCK) {
      const size = Math.min(HALF_BLOCK, count - from);
      for (let i = 0; i < size; i++) list[i] = rows[from + i] ?? 0;
      // The module takes them two by two.
      if (size % 2 === 1) list[size] = list[size - 1] ?? 0;
      this.#products(this.#at.rows, this.#dims, 0, size + (size % 2), this.#at.query, this.#at.out);
      for (let i = 0; i < size; i++) into[from + i] = out[i] ?? 0;
    }
  }

  /** Bytes held. */
  bytes(): number {
    return this.#store.length;
  }

  #take() {
    const { buffer } = this.#store.memory;
    return {
      bits: new Uint16Array(buffer, this.#at.rows),
      list: new Uint32Array(buffer, 0, HALF_BLOCK),
      query: new Float64Array(buffer, this.#at.query, this.#dims),
      out: new Float64Array(buffer, this.#at.out, HALF_BLOCK),
    };
  }
}

function isProducts(value: unknown): value is Products {
  return typeof value === "function";
}
