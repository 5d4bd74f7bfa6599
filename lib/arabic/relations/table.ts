import { ARGUMENT_ROLES, EVENT_TYPES } from "../../contract/lexicon.ts";

/** A table of weights: a row for the lower bits of a feature's hash, a column for each label. */
export type Table = Float32Array | Int8Array;

/** Labels of a word: none, then the types of events in their order; and those of a span. */
export const TYPES = EVENT_TYPES.length + 1;
export const ROLES = ARGUMENT_ROLES.length;

/** Where the row of a feature begins. */
export function rowOf(feature: number, table: Table, labels: number): number {
  return (feature & (table.length / labels - 1)) * labels;
}

/** The sum of weights of each label. */
export function scoresOf(features: Uint32Array, table: Table, labels: number, scale: number): Float64Array {
  const scores = new Float64Array(labels);
  for (const feature of features) {
    const row = rowOf(feature, table, labels);
    for (let label = 0; label < labels; label++) scores[label] = (scores[label] ?? 0) + (table[row + label] ?? 0);
  }
  return scores.map((each) => each * scale);
}
