/** Bytes that grow as whole numbers are written to them, seven bits a byte, the lowest first (LEB128). */
export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Takes a whole number from 0 to 2³² − 1. */
  write(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** What was written since the last call, in bytes of its own. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

/**
 * The numbers between two places of `bytes`, written to `into`, which has room for `to - from`. Returns how many they
 * are.
 */
export function readVarints(bytes: Uint8Array, from: number, to: number, into: Uint32Array): number {
  let count = 0;
  for (let i = from; i < to; ) {
    let byte = bytes[i++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++] ?? 0;
      value |= (byte & 127) << shift;
    }
    into[count++] = value;
  }
  return count;
}
