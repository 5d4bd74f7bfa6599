/**
 * Weights in 4 bits: blocks of {@link BLOCK}, each a float16 scale and then half a byte a weight, the low halves those
 * of the first 16. A weight is its half byte less 8, times the scale.
 */
interface FourBit {
  /** Writes the weights of `count` blocks, from block `first` on, one after the other from `at` on. */
  unpack(first: number, count: number, out: Float32Array, at: number): void;
}

/** Weights of a block. */
export const BLOCK = 32;
const SCALE_BYTES = 2;
/** Bytes of a block. */
export const BLOCK_BYTES = SCALE_BYTES + BLOCK / 2;
/** Scale of an output whose weights are all zero. */
const LEAST_SCALE = 1e-6;

/** Reads blocks that lie one after the other. */
export function fourBit(bytes: Uint8Array): FourBit {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scales = new Float32Array(bytes.length / BLOCK_BYTES);
  for (let block = 0; block < scales.length; block++) scales[block] = view.getFloat16(block * BLOCK_BYTES, true);
  return {
    unpack(first, count, out, at) {
      for (let block = 0; block < count; block++) {
        const scale = scales[first + block] ?? 0;
        const from = (first + block) * BLOCK_BYTES + SCALE_BYTES;
        const to = at + block * BLOCK;
        for (let half = 0; half < BLOCK / 2; half++) {
          const byte = bytes[from + half] ?? 0;
          out[to + half] = ((byte & 15) - 8) * scale;
          out[to + half + BLOCK / 2] = ((byte >> 4) - 8) * scale;
        }
      }
    },
  };
}

/** Outputs and inputs of a matrix of weights. */
type Shape = readonly [outputs: number, inputs: number];

/** Bytes that a matrix takes in 4 bits. */
export function fourBitBytes([outputs, inputs]: Shape): number {
  return (outputs * inputs * BLOCK_BYTES) / BLOCK;
}

/**
 * Matrices in 4 bits, rows of inputs, as int8 columns of outputs, one after the other: each output has one scale, which
 * is the size of its largest weight over 127, in float16.
 */
export function int8Columns(bytes: Uint8Array, shapes: readonly Shape[]): Int8Array<ArrayBuffer> {
  const packed = fourBit(bytes);
  const out = new Int8Array(shapes.reduce((sum, [outputs, inputs]) => sum + outputs * inputs, 0));
  let block = 0;
  let start = 0;
  for (const [outputs, inputs] of shapes) {
    const row = new Float32Array(inputs);
    for (let output = 0; output < outputs; output++) {
      packed.unpack(block, inputs / BLOCK, row, 0);
      block += inputs / BLOCK;
      let largest = 0;
      for (let input = 0; input < inputs; input++) largest = Math.max(largest, Math.abs(row[input] ?? 0));
      const scale = Math.f16round(Math.max(largest / 127, LEAST_SCALE));
      for (let input = 0; input < inputs; input++) {
        const step = Math.floor((row[input] ?? 0) / scale + 0.5);
        out[start + input * outputs + output] = Math.max(-127, Math.min(127, step));
      }
    }
    start += outputs * inputs;
  }
  return out;
}
