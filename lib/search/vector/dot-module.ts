import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";

/**
 * The bytes of dot.wasm, a WebAssembly module with 128-bit integer products: it reads 16 dimensions a step, at about
 * the speed of memory, where a loop in JavaScript takes ten times as long. It imports `env.memory` and exports `dots`.
 */
export const dotModule: Uint8Array<ArrayBuffer> = new Uint8Array(
  readFileSync(fileURLToPath(new URL("dot.wasm", import.meta.url))),
);

/**
 * For each of `count` row numbers (u32) at `list`, the dot product of that row of `rows` (`dims` int8, a multiple of
 * 16) with `query` (`dims` int16), written to `out` (i32). All addresses are bytes in the imported memory. A sum that
 * leaves 32 bits wraps.
 */
export type Dots = (rows: number, list: number, count: number, dims: number, query: number, out: number) => void;
