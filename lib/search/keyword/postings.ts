import { MOST_CONTENT, postingsOf, type Segment, TITLE_SHIFT } from "./segment.ts";

/** The bits of a posting that say how often its term is in a field. */
const FIELD_BITS = { title: 3 << TITLE_SHIFT, content: MOST_CONTENT, any: 0xff } as const;

/** The documents of a segment that hold all of the terms in a field, or in any. */
export function documentsWithAll(
  segment: Segment,
  terms: readonly number[],
  field: keyof typeof FIELD_BITS = "any",
): number[] {
  const lists = [...new Set(terms)].map((term) => postingsOf(segment, term));
  lists.sort((a, b) => a.to - a.from - (b.to - b.from));
  const { docs, freqs } = segment;
  const bits = FIELD_BITS[field];
  let common: number[] | undefined;
  for (const { from, to } of lists) {
    const kept: number[] = [];
    if (common === undefined) {
      for (let i = from; i < to; i++) if (((freqs[i] ?? 0) & bits) !== 0) kept.push(docs[i] ?? 0);
    } else {
      let i = from;
      for (const doc of common) {
        i = firstFrom(docs, doc, i, to);
        if (i < to && docs[i] === doc && ((freqs[i] ?? 0) & bits) !== 0) kept.push(doc);
      }
    }
    common = kept;
  }
  return common ?? [];
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
