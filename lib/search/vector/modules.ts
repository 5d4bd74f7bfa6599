import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";

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
