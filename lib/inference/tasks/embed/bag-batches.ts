import type { Bag } from "./bag.ts";

/** Bags of one run of the model, padded to the longest: ids and weights of shape [rows, length], padding weighs 0. */
export type BagBatch = { rows: readonly number[]; length: number; ids: Int32Array; weights: Float32Array };

/** Cells of a padded batch that keep the gathered rows (256 floats each) within a processor's second-level cache. */
export const BATCH_CELLS = 1024;

/** Groups bags of similar length, so that little is padding, into batches of at most `cells` cells (or one bag).
 * `rows` are indexes into `bags`. */
export function batchBags(bags: readonly Bag[], cells: number = BATCH_CELLS): BagBatch[] {
  const order = bags.map((_, index) => index).sort((a, b) => lengthOf(bags, a) - lengthOf(bags, b));
  const batches: BagBatch[] = [];
  let rows: number[] = [];
  for (const index of order) {
    if (rows.length > 0 && (rows.length + 1) * lengthOf(bags, index) > cells) {
      batches.push(padded(bags, rows));
      rows = [];
    }
    rows.push(index);
  }
  if (rows.length > 0) batches.push(padded(bags, rows));
  return batches;
}

function lengthOf(bags: readonly Bag[], index: number): number {
  return bags[index]?.ids.length ?? 0;
}

function padded(bags: readonly Bag[], rows: readonly number[]): BagBatch {
  const length = Math.max(...rows.map((row) => lengthOf(bags, row)));
  const ids = new Int32Array(rows.length * length);
  const weights = new Float32Array(rows.length * length);
  rows.forEach((row, place) => {
    const bag = bags[row];
    if (bag === undefined) return;
    ids.set(bag.ids, place * length);
    weights.set(bag.weights, place * length);
  });
  return { rows, length, ids, weights };
}
