/**
 * Sequences of one run of a model, padded with 0 to the longest: ids of shape [rows, length]. `rows` are indexes into
 * the sequences.
 */
export type SequenceBatch = { rows: readonly number[]; length: number; ids: Int32Array };

/** Cells of a padded batch whose states stay within a processor's second-level cache. */
export const BATCH_CELLS = 512;

/** Share of a batch that may be padding: beyond it, a run more costs less than the cells. */
const PADDING = 0.1;

/**
 * Groups sequences of similar length into batches of at most `cells` cells (or one sequence), of which at most a share
 * of `padding` is padding.
 */
export function batchSequences(
  sequences: readonly (readonly number[])[],
  cells: number = BATCH_CELLS,
  padding: number = PADDING,
): SequenceBatch[] {
  const order = sequences.map((_, index) => index).sort((a, b) => lengthOf(sequences, a) - lengthOf(sequences, b));
  const batches: SequenceBatch[] = [];
  let rows: number[] = [];
  let filled = 0;
  for (const index of order) {
    const length = lengthOf(sequences, index);
    const size = (rows.length + 1) * length;
    if (rows.length > 0 && (size > cells || size - filled - length > size * padding)) {
      batches.push(padded(sequences, rows));
      rows = [];
      filled = 0;
    }
    rows.push(index);
    filled += length;
  }
  if (rows.length > 0) batches.push(padded(sequences, rows));
  return batches;
}

function lengthOf(sequences: readonly (readonly number[])[], index: number): number {
  return sequences[index]?.length ?? 0;
}

function padded(sequences: readonly (readonly number[])[], rows: readonly number[]): SequenceBatch {
  const length = Math.max(...rows.map((row) => lengthOf(sequences, row)));
  const ids = new Int32Array(rows.length * length);
  rows.forEach((row, place) => {
    ids.set(sequences[row] ?? [], place * length);
  });
  return { rows, length, ids };
}
