import type { ModelCard } from "../../cards/card.ts";
import { readStaticRows } from "./static-rows.ts";
import type { Bag } from "./bag.ts";

/** Levels on each side of zero that a row is read in: 8 bits. */
const LEVELS = 127;
const LEAST = 1e-9;

/** Adding and taking off this leaves a float32 that is no larger a whole number, halves to the even one. */
const WHOLE = 12_582_912;

/** The rows of a static embedding, summed. */
export interface BagRows {
  readonly width: number;
  /** The sum of the rows of a bag by their weights, of unit length, written into `out` from `at` on. */
  embed(bag: Bag, out: Float32Array, at: number): void;
}

/**
 * The rows of a model's bytes (see readStaticRows), in 8 bits with a scale each, made when they are first needed: of
 * tens of thousands a text has a few hundred. @throws Error as readStaticRows()
 */
export function readBagRows(model: Uint8Array, card: Pick<ModelCard, "constants">): BagRows {
  const { width, count, rowsOf } = readStaticRows(model, card);
  const table = new Int8Array(count * width);
  const scales = new Float32Array(count);
  const sum = new Float64Array(width);

  function makeRow(id: number): void {
    const row = rowsOf([id]);
    let largest = 0;
    for (let i = 0; i < width; i++) largest = Math.max(largest, Math.abs(row[i] ?? 0));
    const scale = Math.max(Math.fround(largest / LEVELS), Math.fround(LEAST));
    for (let i = 0; i < width; i++) {
      const level = Math.fround((row[i] ?? 0) / scale);
      table[id * width + i] = Math.fround(Math.fround(level + WHOLE) - WHOLE);
    }
    scales[id] = scale;
  }

  return {
    width,
    embed({ ids, weights }, out, at) {
      sum.fill(0);
      for (let place = 0; place < ids.length; place++) {
        const id = ids[place] ?? 0;
        if (scales[id] === 0) makeRow(id);
        const weight = (scales[id] ?? 0) * (weights[place] ?? 0);
        const from = id * width;
        for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + weight * (table[from + i] ?? 0);
      }
      let squares = 0;
      for (let i = 0; i < width; i++) squares += (sum[i] ?? 0) ** 2;
      const length = Math.max(Math.sqrt(squares), LEAST);
      for (let i = 0; i < width; i++) out[at + i] = (sum[i] ?? 0) / length;
    },
  };
}
