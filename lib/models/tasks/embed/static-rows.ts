import type { ModelCard } from "../../cards/card.ts";

/** The rows of a static embedding: one a token, in 4 bits. */
export interface StaticRows {
  readonly width: number;
  readonly count: number;
  /** The rows of `ids`, one after the other. */
  rowsOf(ids: ArrayLike<number>): Float32Array;
}

/** Weights of a row. */
const WIDTH = 256;
/** Weights of a row that share a step. */
const BLOCK = 32;

/**
 * Reads the constants `packed` (half a byte a weight, low halves first, each minus 8) and `steps` (float16, one for
 * each 32 weights of a row) of a model's bytes, which stand where its card says. @throws Error when it names none, or
 * they do not fit together
 */
export function readStaticRows(model: Uint8Array, { constants = {} }: Pick<ModelCard, "constants">): StaticRows {
  const [packed, halves] = [constants.packed, constants.steps].map((place) =>
    place === undefined ? undefined : model.subarray(place.offset, place.offset + place.bytes),
  );
  if (packed === undefined || halves === undefined) throw new Error("the model has no packed rows with steps");
  const view = new DataView(halves.buffer, halves.byteOffset, halves.byteLength);
  const steps = Float32Array.from({ length: halves.length / 2 }, (_, i) => view.getFloat16(i * 2, true));
  const blocks = WIDTH / BLOCK;
  if (steps.length === 0 || packed.length * 2 !== steps.length * BLOCK) {
    throw new Error("the rows have no step for each of their blocks");
  }
  return {
    width: WIDTH,
    count: steps.length / blocks,
    rowsOf(ids) {
      const out = new Float32Array(ids.length * WIDTH);
      for (let place = 0; place < ids.length; place++) {
        const id = ids[place] ?? 0;
        const from = (id * WIDTH) / 2;
        const to = place * WIDTH;
        for (let block = 0; block < blocks / 2; block++) {
          const low = steps[id * blocks + block] ?? 0;
          const high = steps[id * blocks + block + blocks / 2] ?? 0;
          for (let i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
            const byte = packed[from + i] ?? 0;
            out[to + i] = ((byte & 15) - 8) * low;
            out[to + i + WIDTH / 2] = ((byte >> 4) - 8) * high;
          }
        }
      }
      return out;
    },
  };
}
