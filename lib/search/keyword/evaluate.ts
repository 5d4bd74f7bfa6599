import { at } from "../../std/index.ts";
import { addTerm, addTermTo, boundOf, type WeightedTerm } from "./bm25.ts";
import { postingsOf, SEGMENT_DOCS, type Segment } from "./segment.ts";
import type { Top } from "./top.ts";

const scores = new Float32Array(SEGMENT_DOCS);
const candidates = new Uint16Array(SEGMENT_DOCS);

/** Postings that take as long as a look at the scores of a whole segment. */
const LOOK = 16_384;
/** Postings that take as long as looking a candidate up. */
const LOOK_UP = 24;
/** Bounds are taken for this much more than they are, because sums are rounded. */
const SLACK = 1.0001;

/**
 * The terms of a query, and the mean length of all documents. `lookAt` is the number of postings from which on it is
 * looked whether they matter (16,384).
 */
export type Weighted = { terms: readonly WeightedTerm[]; meanLength: number; lookAt?: number };

/**
 * Puts the best documents of a segment, of those marked, into `top`. Terms are added one after another, in their order.
 * As soon as all further terms together cannot lift a document into the best, only those that are near are looked up in
 * them (after Turtle and Flood, "Query Evaluation: Strategies and Optimizations", 1995: MaxScore). The answer is the
 * same. Returns the scores of all documents, until the next call, where none was passed over.
 */
export function evaluate(
  { terms, meanLength, lookAt = LOOK }: Weighted,
  segment: Segment,
  place: number,
  mask: Uint8Array | undefined,
  top: Top,
): Float32Array | undefined {
  const view = scores.subarray(0, segment.forward.count).fill(0);
  const lists = terms.map((term) => ({ term, ...postingsOf(segment, term.term) })).filter(({ from, to }) => to > from);
  /** What the terms from each one on add at most, and how many postings they have. */
  const bounds = new Float64Array(lists.length + 1);
  const postings = new Float64Array(lists.length + 1);
  for (let i = lists.length - 1; i >= 0; i--) {
    const { term, from, to } = at(lists, i);
    bounds[i] = at(bounds, i + 1) + boundOf(term) * SLACK;
    postings[i] = at(postings, i + 1) + to - from;
  }
  let near: Uint16Array | undefined;
  /** With so many postings left it is worth looking which documents are near. */
  let worth = at(postings, 0);
  for (const [i, { term, ...list }] of lists.entries()) {
    const left = at(postings, i);
    if (near === undefined && at(bounds, i) < top.least && left > lookAt && left <= worth) {
      const candidatesNow = documentsFrom(view, mask, top.least - at(bounds, i));
      if (candidatesNow.length * LOOK_UP < left) near = candidatesNow;
      worth = left / 2;
    }
    if (near === undefined) addTerm(view, segment, list, term, meanLength);
    else addTermTo(near, view, segment, list, term, meanLength);
  }
  collect(near ?? documentsFrom(view, mask, top.least), view, segment, place, top);
  return near === undefined ? view : undefined;
}

/** The documents with a score, of at least `least`, of those marked; they ascend. The next call overwrites them. */
function documentsFrom(view: Float32Array, mask: Uint8Array | undefined, least: number): Uint16Array {
  let count = 0;
  for (let doc = 0; doc < view.length; doc++) {
    const score = view[doc] ?? 0;
    if (score === 0 || score < least || (mask !== undefined && mask[doc] === 0)) continue;
    candidates[count++] = doc;
  }
  return candidates.subarray(0, count);
}

function collect(docs: Uint16Array, view: Float32Array, { forward: { ids } }: Segment, place: number, top: Top): void {
  let { least } = top;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] ?? 0;
    const score = view[doc] ?? 0;
    if (score < least) continue;
    top.add(score, ids[doc] ?? 0, place, doc);
    ({ least } = top);
  }
}

/** The score of one document. */
export function scoreOf({ terms, meanLength }: Weighted, segment: Segment, doc: number): number {
  const view = scores.subarray(0, segment.forward.count);
  view[doc] = 0;
  const one = Uint16Array.of(doc);
  for (const term of terms) addTermTo(one, view, segment, postingsOf(segment, term.term), term, meanLength);
  return at(view, doc);
}
