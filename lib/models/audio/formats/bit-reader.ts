/** Reads bits, the highest of a byte first. Reading past the end throws a RangeError. */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** The next bit. */
  #at: number;

  constructor(bytes: Uint8Array, byte: number) {
    this.#bytes = bytes;
    this.#at = byte * 8;
  }

  /** The byte that the next bit is in. */
  get byte(): number {
    return this.#at >>> 3;
  }

  /** Goes on at the next whole byte. */
  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** A number of `bits` bits, at most 32, without sign. */
  unsigned(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; ) {
      const [inByte, byte] = [8 - (this.#at & 7), this.#current()];
      const taken = Math.min(left, inByte);
      value = value * 2 ** taken + ((byte >> (inByte - taken)) & ((1 << taken) - 1));
      this.#at += taken;
      left -= taken;
    }
    return value;
  }

  /** A number of `bits` bits in two's complement. */
  signed(bits: number): number {
    if (bits === 0) return 0;
    const value = this.unsigned(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** How many zeros stand before the next one, which is read too. */
  unary(): number {
    let zeros = 0;
    for (;;) {
      const inByte = 8 - (this.#at & 7);
      const rest = this.#current() & ((1 << inByte) - 1);
      if (rest !== 0) {
        const leading = Math.clz32(rest) - (32 - inByte);
        this.#at += leading + 1;
        return zeros + leading;
      }
      zeros += inByte;
      this.#at += inByte;
    }
  }

  #current(): number {
    const byte = this.#bytes[this.#at >>> 3];
    if (byte === undefined) throw new RangeError("the bits have ended");
    return byte;
  }
}
