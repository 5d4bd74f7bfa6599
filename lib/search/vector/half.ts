import { halfModule, type Products } from "./modules.ts";
import { RowMemory } from "./row-memory.ts";

/** Rows compared in one call of the module. */
const BLOCK = 1024;

/** Vectors of float16 by row numbers, in WebAssembly memory. */
export class HalfStore {
  readonly #dims: number;
  readonly #store: RowMemory;
  readonly #products: Products;
  /** Where the list, the query, the products and the rows are, in bytes. */
  readonly #at: { query: number; out: number; rows: number };
  #views: { bits: Uint16Array; list: Uint32Array; query: Float64Array; out: Float64Array };

  constructor(dims: number) {
    this.#dims = dims;
    const query = BLOCK * 4;
    const out = query + dims * 8;
    this.#at = { query, out, rows: out + BLOCK * 8 };
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
    for (let from = 0; from < count; from += BLOCK) {
      const size = Math.min(BLOCK, count - from);
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
      list: new Uint32Array(buffer, 0, BLOCK),
      query: new Float64Array(buffer, this.#at.query, this.#dims),
      out: new Float64Array(buffer, this.#at.out, BLOCK),
    };
  }
}

function isProducts(value: unknown): value is Products {
  return typeof value === "function";
}
