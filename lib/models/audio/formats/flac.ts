import { at } from "../../../std/mod.ts";
import { AudioError, checkShape, mixDown, type Pcm } from "../pcm.ts";

/** Reads bits, the highest of a byte first. Reading past the end throws a RangeError. */
class BitReader {
  readonly #bytes: Uint8Array;
  /** The next bit. */
  #at: number;

  constructor(bytes: Uint8Array, byte: number) {
    this.#bytes = bytes;
    this.#at = byte * 8;
  }

  /** Returns the byte that the next bit is in. */
  get byte(): number {
    return this.#at >>> 3;
  }

  /** Goes on at the next whole byte. */
  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** Returns a number of `bits` bits, at most 32, without sign. */
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

  /** Returns a number of `bits` bits in two's complement. */
  signed(bits: number): number {
    if (bits === 0) return 0;
    const value = this.unsigned(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** Counts how many zeros stand before the next one, which is read too. */
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

/** Holds what the head of a FLAC stream says, for frames that leave it to the stream. */
type FlacStream = { rate: number; channels: number; bits: number };

/** A block: the samples of every channel, as whole numbers of `bits` bits, and the byte after it. */
type FlacFrame = { rate: number; bits: number; channels: Float64Array[]; end: number };

/** A frame that is not what the format says; a RangeError means that the bytes end within it. */
class FlacFault extends Error {}

const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const BITS = [0, 8, 12, undefined, 16, 20, 24, 32];
/** Weights of the fixed predictors, the newest sample first. */
const FIXED: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];
const [LEFT_SIDE, SIDE_RIGHT, MID_SIDE] = [8, 9, 10];

/** Decodes the frame that begins at a byte (RFC 9639, section 9). @throws FlacFault, RangeError */
export function decodeFlacFrame(bytes: Uint8Array, start: number, stream: FlacStream): FlacFrame {
  const bits = new BitReader(bytes, start);
  if (bits.unsigned(15) !== 0x7ffc) throw new FlacFault("no frame begins here");
  bits.unsigned(1);
  const [sizeCode, rateCode, layout, depthCode] = [
    bits.unsigned(4),
    bits.unsigned(4),
    bits.unsigned(4),
    bits.unsigned(3),
  ];
  bits.unsigned(1);
  // The number of the frame, coded as UTF-8 codes characters.
  for (let left = Math.max(0, Math.clz32(~(bits.unsigned(8) << 24)) - 1); left > 0; left--) bits.unsigned(8);
  const size = blockSize(sizeCode, bits);
  const rate = sampleRate(rateCode, bits) || stream.rate;
  const depth = (depthCode === 0 ? stream.bits : BITS[depthCode]) ?? 0;
  const count = layout < LEFT_SIDE ? layout + 1 : 2;
  if (layout > MID_SIDE || depth === 0) throw new FlacFault("a reserved value");
  if (crc(bytes, start, bits.byte, 8, 0x07) !== bits.unsigned(8)) throw new FlacFault("the head's checksum is wrong");
  const channels: Float64Array[] = [];
  for (let c = 0; c < count; c++) {
    const isSide = layout === SIDE_RIGHT ? c === 0 : (layout === LEFT_SIDE || layout === MID_SIDE) && c === 1;
    channels.push(subframe(bits, size, depth + (isSide ? 1 : 0)));
  }
  bits.align();
  if (crc(bytes, start, bits.byte, 16, 0x8005) !== bits.unsigned(16)) throw new FlacFault("the checksum is wrong");
  const [first, second] = channels;
  if (first !== undefined && second !== undefined) restoreSides(layout, first, second);
  return { rate, bits: depth, channels, end: bits.byte };
}

function blockSize(code: number, bits: BitReader): number {
  if (code === 0) throw new FlacFault("a reserved value");
  if (code === 1) return 192;
  if (code <= 5) return 144 << code;
  if (code <= 7) return bits.unsigned(code === 6 ? 8 : 16) + 1;
  return 1 << code;
}

function sampleRate(code: number, bits: BitReader): number {
  if (code === 12) return bits.unsigned(8) * 1000;
  if (code === 13) return bits.unsigned(16);
  if (code === 14) return bits.unsigned(16) * 10;
  const rate = RATES[code];
  if (rate === undefined) throw new FlacFault("a reserved value");
  return rate;
}

function subframe(bits: BitReader, size: number, width: number): Float64Array {
  if (bits.unsigned(1) !== 0) throw new FlacFault("a reserved value");
  const kind = bits.unsigned(6);
  const wasted = bits.unsigned(1) === 1 ? bits.unary() + 1 : 0;
  const depth = width - wasted;
  if (depth < 1) throw new FlacFault("more bits are wasted than there are");
  const samples = new Float64Array(size);
  if (kind === 0) samples.fill(bits.signed(depth));
  else if (kind === 1) for (let i = 0; i < size; i++) samples[i] = bits.signed(depth);
  else if (kind >= 8 && kind <= 12)
    predicted(bits, samples, depth, kind - 8, () => ({ weights: at(FIXED, kind - 8), shift: 0 }));
  else if (kind >= 32) predicted(bits, samples, depth, kind - 31, () => weightsOf(bits, kind - 31));
  else throw new FlacFault("a reserved value");
  if (wasted > 0) for (let i = 0; i < size; i++) samples[i] = at(samples, i) * 2 ** wasted;
  return samples;
}

function weightsOf(bits: BitReader, order: number): { weights: readonly number[]; shift: number } {
  const precision = bits.unsigned(4) + 1;
  const shift = bits.signed(5);
  if (precision === 16 || shift < 0) throw new FlacFault("a reserved value");
  return { weights: Array.from({ length: order }, () => bits.signed(precision)), shift };
}

/** Samples that are what a linear prediction says and a residual. */
function predicted(
  bits: BitReader,
  samples: Float64Array,
  depth: number,
  order: number,
  readWeights: () => { weights: readonly number[]; shift: number },
): void {
  if (order > samples.length) throw new FlacFault("a block shorter than its prediction");
  for (let i = 0; i < order; i++) samples[i] = bits.signed(depth);
  const { weights, shift } = readWeights();
  residual(bits, samples, order);
  const scale = 2 ** shift;
  for (let i = order; i < samples.length; i++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum += (weights[k] ?? 0) * (samples[i - 1 - k] ?? 0);
    samples[i] = (samples[i] ?? 0) + Math.floor(sum / scale);
  }
}

/** Rice codes in partitions, each with its parameter; written where the samples will be. */
function residual(bits: BitReader, out: Float64Array, order: number): void {
  const method = bits.unsigned(2);
  if (method > 1) throw new FlacFault("a reserved value");
  const [width, raw] = method === 0 ? [4, 15] : [5, 31];
  const partitions = 1 << bits.unsigned(4);
  const length = out.length / partitions;
  if (!Number.isInteger(length) || length < order) throw new FlacFault("a block that its partitions do not divide");
  for (let p = 0, i = order; p < partitions; p++) {
    const parameter = bits.unsigned(width);
    const depth = parameter === raw ? bits.unsigned(5) : 0;
    for (const end = (p + 1) * length; i < end; i++) {
      if (parameter === raw) {
        out[i] = bits.signed(depth);
        continue;
      }
      const folded = bits.unary() * 2 ** parameter + bits.unsigned(parameter);
      out[i] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    }
  }
}

/** Makes left and right of what was coded as one of them and their difference, or as their mean and difference. */
function restoreSides(layout: number, first: Float64Array, second: Float64Array): void {
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [first[i] ?? 0, second[i] ?? 0];
    if (layout === LEFT_SIDE) second[i] = a - b;
    else if (layout === SIDE_RIGHT) first[i] = a + b;
    else if (layout === MID_SIDE) {
      const odd = Math.abs(b) % 2;
      first[i] = (2 * a + odd + b) / 2;
      second[i] = (2 * a + odd - b) / 2;
    }
  }
}

/** Returns the checksum of the bytes from `from` to `to`, as the format has it: from 0 on, the highest bit first. */
export function crc(bytes: Uint8Array, from: number, to: number, width: 8 | 16, polynomial: number): number {
  const [top, mask] = [1 << (width - 1), (1 << width) - 1];
  let sum = 0;
  for (let i = from; i < to; i++) {
    sum ^= (bytes[i] ?? 0) << (width - 8);
    for (let bit = 0; bit < 8; bit++) sum = (sum & top ? (sum << 1) ^ polynomial : sum << 1) & mask;
  }
  return sum;
}

/**
 * Returns the head of a FLAC file, the byte where its frames begin, and how long it says that it is, 0 where it does
 * not.
 * @throws AudioError `damaged`, `no-audio`
 */
export function flacHead(bytes: Uint8Array): FlacStream & { from: number; seconds: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The four letters, then blocks; the first one describes the stream.
  if (bytes.length < 42 || (bytes[4] ?? 0) % 128 !== 0) {
    throw new AudioError("damaged", "The head of the FLAC file is cut.");
  }
  const packed = view.getUint32(18);
  const stream = {
    rate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
  };
  checkShape(stream);
  let at = 4;
  for (let last = false; !last; ) {
    if (at + 4 > bytes.length) throw new AudioError("damaged", "The FLAC file ends before its samples.");
    const block = view.getUint32(at);
    last = block >>> 31 === 1;
    at += 4 + (block & 0xffffff);
  }
  if (at >= bytes.length) throw new AudioError("no-audio", "The FLAC file holds no samples.");
  const samples = (packed & 15) * 2 ** 32 + view.getUint32(22);
  return { ...stream, from: at, seconds: samples / stream.rate };
}

/** Returns the samples of a FLAC file; one that is cut gives what is whole. @throws AudioError as flacHead */
export function* decodeFlac(bytes: Uint8Array): Generator<Pcm> {
  const { from, seconds: _, ...stream } = flacHead(bytes);
  for (let at = from; at < bytes.length; ) {
    try {
      const { rate, bits, channels, end } = decodeFlacFrame(bytes, at, stream);
      checkShape({ rate, channels: channels.length });
      const scale = 2 ** (bits - 1);
      yield { rate, samples: mixDown(channels.map((channel) => Float32Array.from(channel, (x) => x / scale))) };
      at = end;
    } catch (error) {
      // The end of the bytes within a frame; a tag of another format may stand after the last one.
      if (error instanceof RangeError || isTag(bytes, at)) return;
      if (!(error instanceof FlacFault)) throw error;
      throw new AudioError("damaged", `The FLAC file is damaged at byte ${at}: ${error.message}.`, { cause: error });
    }
  }
}

function isTag(bytes: Uint8Array, at: number): boolean {
  return /^(TAG|APETAGEX|ID3)/.test(String.fromCharCode(...bytes.subarray(at, at + 8)));
}
