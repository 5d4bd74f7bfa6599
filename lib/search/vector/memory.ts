import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";

/**
 * An array of the same kind with room for `length` elements: `array` itself where it is long enough, else a copy half
 * as long again.
 */
export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array>(
  array: T,
  length: number,
  make: (length: number) => T,
): T {
  if (length <= array.length) return array;
  const next = make(Math.max(length, Math.ceil(array.length * 1.5), 1024));
  next.set(array);
  return next;
}

const PAGE = 65_536;
const MAX_PAGES = 65_536;

/** WebAssembly memory that grows in place, up to 4 GiB; views of it are taken again after {@link RowMemory.reserve}. */
export class RowMemory {
  readonly memory: WebAssembly.Memory;

  constructor(length: number) {
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(length / PAGE), maximum: MAX_PAGES });
  }

  /** Bytes there are. */
  get length(): number {
    return this.memory.buffer.byteLength;
  }

  /** Makes room for `length` bytes, with some to spare. Throws {@link RangeError} when there is no more memory. */
  reserve(length: number): void {
    if (length <= this.length) return;
    const pages = this.length / PAGE;
    const ample = Math.min(MAX_PAGES, Math.ceil(pages * 1.25));
    this.memory.grow(Math.max(Math.ceil(length / PAGE), ample) - pages);
  }
}

/**
 * The bytes of scan.wasm, a WebAssembly module with 128-bit integer products: it reads 16 dimensions a step, at about
 * the speed of memory, where a loop in JavaScript takes ten times as long. It imports `env.memory` and exports `scan`.
 */
export const scanModule = bytesOf("scan.wasm");

/**
 * The bytes of half.wasm, a WebAssembly module without such instructions, for every machine. It imports `env.memory`
 * and exports `products`, three times as fast as a loop in JavaScript.
 */
export const halfModule = bytesOf("half.wasm");

/**
 * The bytes of sketch.wasm, with 128-bit instructions too. It imports `env.memory` and exports
 * `estimate` and `list`.
 */
export const sketchModule = bytesOf("sketch.wasm");

/**
 * Scores `count` rows: those numbered (u32) at `list`, or where that is 0 those from `first` on. A row of `rows` is
 * `dims` int8 codes, a multiple of 16, and two float32: its scale and its error. Its score is the dot product of its
 * codes and `query` (`dims` int16), times both scales, certain within the row's error + `error` · (1 + the row's).
 * Rows whose score may reach `floor` are written to `out` (u32), and to `bounds` the least and the most that their
 * score can be (float64 each). Returns how many they are. All addresses are bytes in the imported memory. A dot product
 * that leaves 32 bits wraps. Of an odd number of rows one more is read.
 */
export type Scan = (
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

/**
 * For each of `count` row numbers (u32) at `list`, an even number of them, the dot product of that row of `rows`
 * (`dims` float16, finite) with `query` (`dims` float64), in double precision and the order of the components, written
 * to `out` (float64). All addresses are bytes in the imported memory.
 */
export type Products = (rows: number, dims: number, list: number, count: number, query: number, out: number) => void;

/**
 * Estimates what the cosines of rows in `groups` of 16 may be at most. A group is `bytes` (a multiple of 4) times a
 * byte of each row, then a float32 of each, its inverse, then another one, the estimate that is written. For each half
 * of a byte, the lower one first, `tables` has the 16 summands of the query (u8, at most 31). The estimate of a row is
 * (`scale` · sum − `offset`) · inverse + `spread` · √(inverse² − 1). All addresses are bytes in the imported memory.
 */
export type Estimate = (
  group: number,
  groups: number,
  bytes: number,
  tables: number,
  scale: number,
  offset: number,
  spread: number,
) => void;

/**
 * Writes the numbers (u32) of those rows to `out` whose estimate is at least `least` and less than `below`, in groups
 * as {@link Estimate} has them, the first row numbered `first`. Returns how many they are.
 */
export type List = (
  group: number,
  groups: number,
  bytes: number,
  first: number,
  least: number,
  below: number,
  out: number,
) => number;

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(file, import.meta.url))));
}
