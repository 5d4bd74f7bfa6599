import { at } from "../../std/index.ts";
import { MOST_CONTENT, rankOf, type Segment, TITLE_SHIFT } from "./segment.ts";

/** The bits of a posting that say how often its term is in a field. */
export const FIELD_BITS = { title: 3 << TITLE_SHIFT, content: MOST_CONTENT, any: 0xff } as const;

/** The documents of a segment that hold all of the terms in a field, or in any. */
export function documentsWithAll(
  segment: Segment,
  terms: readonly number[],
  field: keyof typeof FIELD_BITS = "any",
): number[] {
  const ranks = [...new Set(terms)].map((term) => rankOf(segment, term));
  if (ranks.length === 0 || ranks.includes(-1)) return [];
  const bits = FIELD_BITS[field];
  const { docs, freqs, offsets } = segment;
  const lengthOf = (rank: number): number => at(offsets, rank + 1) - at(offsets, rank);
  ranks.sort((a, b) => lengthOf(a) - lengthOf(b));
  let found: number[] | undefined;
  for (const rank of ranks) {
    const to = at(offsets, rank + 1);
    const kept: number[] = [];
    let i = at(offsets, rank);
    if (found === undefined) {
      for (; i < to; i++) if (((freqs[i] ?? 0) & bits) !== 0) kept.push(docs[i] ?? 0);
    } else {
      for (const doc of found) {
        i = firstFrom(docs, doc, i, to);
        if (i < to && docs[i] === doc && ((freqs[i] ?? 0) & bits) !== 0) kept.push(doc);
      }
    }
    found = kept;
  }
  return found ?? [];
}

/** The first place from `from` on, below `to`, of a number of at least `doc`: by growing steps, then by halves. */
export function firstFrom(docs: Uint16Array, doc: number, from: number, to: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (docs[low + step] ?? 0) < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(to, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((docs[middle] ?? 0) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
