import { at } from "../../std/mod.ts";
import { addTerm, addTermTo, boundOf, type Postings, type WeightedTerm } from "./bm25.ts";
import { addGroup, addGroupTo, boundOfGroup, type TermGroup } from "./groups.ts";
import { firstFrom } from "./postings.ts";
import { postingsOf, type Segment, WINDOW } from "./segment.ts";
import type { Top } from "./top.ts";

/** Postings that take as long as looking a candidate up. */
const LOOK_UP = 8;
/** Bounds are taken for this much more than they are, because sums are rounded. */
const SLACK = 1.0001;

/** The least score of 32 bits that is more than 0. */
const LOWEST = 2 ** -149;

const scores = new Float32Array(WINDOW);
const candidates = new Uint16Array(WINDOW);
const one = new Uint16Array(1);

/**
 * What a query looks for: terms, then groups of terms. `meanLength` is that of all documents; `window` the number
 * of documents whose scores are added up at a time (8192, and at most).
 */
export type Weighted = {
  terms: readonly WeightedTerm[];
  groups?: readonly TermGroup[];
  meanLength: number;
  window?: number;
};

/** The documents of a segment from `from` to before `to`, those that are 1 in `mask` where there is one. */
export type Part = { segment: Segment; place: number; from: number; to: number; mask: Uint8Array | undefined };

/** A term or a group: what it adds at most, its postings in the window at hand, and how many these are. */
type Source = { bound: number; lists: Postings[]; count: number } & ({ term: WeightedTerm } | { group: TermGroup });

/**
 * Puts the best documents of a part of a segment into `top`, window by window. Terms and groups are added one after
 * another, in their order. As soon as all further ones together cannot lift a document into the best, only those that
 * are near are looked up in them (after Turtle and Flood, "Query Evaluation: Strategies and Optimizations", 1995:
 * MaxScore). The answer is the same.
 */
export function evaluate(weighted: Weighted, part: Part, top: Top): void {
  const { meanLength, window = WINDOW } = weighted;
  const { from, to } = part;
  const { docs } = part.segment;
  const sources = sourcesOf(weighted, part.segment, from);
  /** What the sources from each one on add at most to a document of the window. */
  const rest = new Float64Array(sources.length + 1);
  for (let base = from; base < to; base += window) {
    const end = Math.min(base + window, to);
    for (let i = sources.length - 1; i >= 0; i--) {
      const source = at(sources, i);
      source.count = 0;
      for (const list of source.lists) {
        list.from = list.to;
        list.to = firstFrom(docs, end, list.from, list.last);
        source.count += list.to - list.from;
      }
      rest[i] = (rest[i + 1] ?? 0) + (source.count > 0 ? source.bound : 0);
    }
    const most = rest[0] ?? 0;
    if (most > 0 && most >= top.least) addWindow({ sources, rest, meanLength }, { ...part, from: base, to: end }, top);
  }
}

type Sources = { sources: readonly Source[]; rest: Float64Array; meanLength: number };

/** Puts the best documents of a window, `part`, into `top`. */
function addWindow({ sources, rest, meanLength }: Sources, part: Part, top: Top): void {
  const { segment, from: base } = part;
  const view = scores.subarray(0, part.to - base).fill(0);
  const window = { scores: view, base, segment, meanLength };
  let near: Uint16Array | undefined;
  for (const [i, source] of sources.entries()) {
    const { count, lists } = source;
    if (count === 0) continue;
    const least = (top.least - (rest[i] ?? 0)) / SLACK;
    if (near !== undefined) near = keepFrom(near, view, base, least);
    else if (least > 0) near = documentsFrom(view, part, least);
    if (near !== undefined && near.length * LOOK_UP < count) {
      if ("group" in source) addGroupTo(near, window, source.group, lists);
      else addTermTo(near, window, source.term, at(lists, 0));
    } else if ("group" in source) addGroup(window, source.group, lists);
    else addTerm(window, source.term, at(lists, 0));
  }
  collect(near ?? documentsFrom(view, part, top.least), view, part, top);
}

/** The terms and groups that have postings, which begin at document `from`. */
function sourcesOf({ terms, groups = [] }: Weighted, segment: Segment, from: number): Source[] {
  const listOf = (term: number): Postings => {
    const { from: first, to: last } = postingsOf(segment, term);
    return { from: 0, to: from === 0 ? first : firstFrom(segment.docs, from, first, last), last };
  };
  const sources: Source[] = [
    ...terms.map((term) => ({ term, bound: boundOf(term) * SLACK, lists: [listOf(term.term)], count: 0 })),
    ...groups.map((group) => {
      const lists = group.terms.map(({ term }) => listOf(term));
      return { group, bound: boundOfGroup(group) * SLACK, lists, count: 0 };
    }),
  ];
  return sources.filter(({ lists }) => lists.some(({ to, last }) => to < last));
}

/** The documents of a window with a score, of at least `least`, of those marked; they ascend. Overwrites the last. */
function documentsFrom(view: Float32Array, { from, mask }: Part, least: number): Uint16Array {
  const lowest = Math.max(least, LOWEST);
  let count = 0;
  for (let i = 0; i < view.length; i++) if ((view[i] ?? 0) >= lowest) candidates[count++] = from + i;
  if (mask === undefined) return candidates.subarray(0, count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = candidates[i] ?? 0;
    if (mask[doc] !== 0) candidates[kept++] = doc;
  }
  return candidates.subarray(0, kept);
}

/** Those of the documents that {@link documentsFrom} gave that have a score of at least `least`. */
function keepFrom(near: Uint16Array, view: Float32Array, base: number, least: number): Uint16Array {
  let count = 0;
  for (let i = 0; i < near.length; i++) {
    const doc = near[i] ?? 0;
    if ((view[doc - base] ?? 0) >= least) near[count++] = doc;
  }
  return near.subarray(0, count);
}

function collect(docs: Uint16Array, view: Float32Array, { segment, place, from }: Part, top: Top): void {
  const { ids } = segment.forward;
  let { least } = top;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] ?? 0;
    const score = view[doc - from] ?? 0;
    if (score < least) continue;
    top.add(score, ids[doc] ?? 0, place, doc);
    ({ least } = top);
  }
}

/** The score of one document. */
export function scoreOf({ terms, meanLength }: Weighted, segment: Segment, doc: number): number {
  const view = scores.subarray(0, 1).fill(0);
  one[0] = doc;
  const window = { scores: view, base: doc, segment, meanLength };
  for (const term of terms) {
    const { from, to } = postingsOf(segment, term.term);
    addTermTo(one, window, term, { from, to, last: to });
  }
  return at(view, 0);
}
