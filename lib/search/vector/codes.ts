import { type Dots, dotModule } from "./dot-module.ts";

/** Rows of int8 codes, and their dot products with a query of int16. */
export interface CodeStore {
  /** Length of a row: the dimensions rounded up to a multiple of 16, the rest zero. */
  readonly width: number;
  /**
   * Keeps `codes` (length ≤ width) as row `row`; rows up to it come to be. Throws {@link RangeError} when memory is
   * exhausted.
   */
  write(row: number, codes: Int8Array): void;
  /** The codes of a row, a copy. */
  read(row: number): Int8Array;
  /**
   * The dot products of `query` with the rows numbered in `list`, exact in 32 bits. The result is reused by the next
   * call.
   */
  dots(list: Uint32Array, query: Int16Array): Int32Array;
  /** Bytes that the store holds. */
  bytes(): number;
}

const PAGE = 65_536;
const MAX_PAGES = 65_536;
const BLOCK = 4096;

/** A store in WebAssembly memory where the machine has its 128-bit instructions, else in plain arrays. */
export function createCodeStore(dims: number): CodeStore {
  const width = Math.ceil(dims / 16) * 16;
  return WebAssembly.validate(dotModule) ? wasmCodes(width) : plainCodes(width);
}

/** The store over {@link dotModule}. */
export function wasmCodes(width: number): CodeStore {
  const listAt = Math.ceil((width * 2) / 64) * 64;
  const outAt = listAt + BLOCK * 4;
  const rowsAt = outAt + BLOCK * 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / PAGE), maximum: MAX_PAGES });
  const { dots } = new WebAssembly.Instance(new WebAssembly.Module(dotModule), { env: { memory } }).exports;
  if (!isDots(dots)) throw new TypeError("the dot product module has no function");
  let bytes = new Int8Array(memory.buffer);
  let results = new Int32Array(BLOCK);

  function reserve(length: number): void {
    if (length <= bytes.length) return;
    const pages = bytes.length / PAGE;
    const needed = Math.ceil(length / PAGE);
    memory.grow(Math.min(MAX_PAGES, Math.max(needed, Math.ceil(pages * 1.25))) - pages);
    bytes = new Int8Array(memory.buffer);
  }

  return {
    width,
    write(row, codes) {
      const start = rowsAt + row * width;
      reserve(start + width);
      bytes.set(codes, start);
      bytes.fill(0, start + codes.length, start + width);
    },
    read: (row) => bytes.slice(rowsAt + row * width, rowsAt + (row + 1) * width),
    dots(list, query) {
      if (results.length < list.length) results = new Int32Array(list.length * 2);
      const queryView = new Int16Array(memory.buffer, 0, width);
      queryView.fill(0);
      queryView.set(query);
      const listView = new Uint32Array(memory.buffer, listAt, BLOCK);
      const outView = new Int32Array(memory.buffer, outAt, BLOCK);
      for (let from = 0; from < list.length; from += BLOCK) {
        const block = list.subarray(from, from + BLOCK);
        listView.set(block);
        dots(rowsAt, listAt, block.length, width, 0, outAt);
        results.set(block.length === BLOCK ? outView : outView.subarray(0, block.length), from);
      }
      return results;
    },
    bytes: () => bytes.length,
  };
}

function isDots(value: unknown): value is Dots {
  return typeof value === "function";
}

/** The same in plain JavaScript, about ten times slower. */
export function plainCodes(width: number): CodeStore {
  let bytes = new Int8Array(width * 1024);
  let results = new Int32Array(BLOCK);
  return {
    width,
    write(row, codes) {
      const start = row * width;
      if (start + width > bytes.length) {
        const grown = new Int8Array(Math.max(start + width, Math.ceil(bytes.length * 1.25)));
        grown.set(bytes);
        bytes = grown;
      }
      bytes.set(codes, start);
      bytes.fill(0, start + codes.length, start + width);
    },
    read: (row) => bytes.slice(row * width, (row + 1) * width),
    dots(list, query) {
      if (results.length < list.length) results = new Int32Array(list.length * 2);
      for (let i = 0; i < list.length; i++) {
        const start = (list[i] ?? 0) * width;
        let sum = 0;
        for (let j = 0; j < query.length; j++) sum += (bytes[start + j] ?? 0) * (query[j] ?? 0);
        results[i] = sum;
      }
      return results;
    },
    bytes: () => bytes.length,
  };
}
