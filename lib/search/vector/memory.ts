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

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(file, import.meta.url))));
}
