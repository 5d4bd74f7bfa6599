import { at } from "../../std/mod.ts";
import { grown } from "../vector/memory.ts";
import { type DocumentRow, Forward } from "./forward.ts";
import { invert, invertInSteps, Scratch } from "./invert.ts";
import { documentsOf, type Segment } from "./postings.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Documents of a segment at most: their numbers have 16 bits. */
const SEGMENT_DOCS = 65_536;

/** Segments of one size class are merged when there are so many, into one of the next class. */
const FAN_IN = 8;

/** The segments that should become one now, smallest first; none when all are well. */
function segmentsToMerge(segments: readonly Segment[]): Segment[] {
  const sparse = segments.find(({ size, forward }) => size * 2 < forward.count);
  if (sparse !== undefined) return [sparse];
  const classes = new Map<number, Segment[]>();
  for (const segment of segments) {
    const sizeClass = Math.floor(Math.log2(segment.size) / Math.log2(FAN_IN));
    const others = classes.get(sizeClass) ?? [];
    classes.set(sizeClass, [...others, segment]);
  }
  for (const group of classes.values()) {
    const fitting = group.length < FAN_IN ? [] : thatFit(group);
    if (fitting.length > 1) return fitting;
  }
  return [];
}

/** As many of the segments, smallest first, as fit into one. */
function thatFit(segments: readonly Segment[]): Segment[] {
  let total = 0;
  return segments
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => {
      total += size;
      return total <= SEGMENT_DOCS;
    });
}

/**
 * Makes one segment of several, in short steps, without the documents that were taken out, even meanwhile; undefined
 * when none is left.
 */
function* mergeInSteps(segments: readonly Segment[], vocabulary: Vocabulary): Generator<void, Segment | undefined> {
  const chosen = [
    ...segments.map((segment) => ({ segment, docs: liveDocuments(segment, 0, segment.latin) })),
    ...segments.map((segment) => ({ segment, docs: liveDocuments(segment, segment.latin, segment.live.length) })),
  ];
  const latin = chosen.slice(0, segments.length).reduce((sum, { docs }) => sum + docs.length, 0);
  let count = 0;
  let units = 0;
  for (const { segment, docs } of chosen) {
    count += docs.length;
    for (const doc of docs) units += at(segment.forward.starts, doc + 1) - at(segment.forward.starts, doc);
  }
  if (count === 0) return undefined;
  const forward = new Forward(count, units);
  for (const { segment, docs } of chosen) {
    for (const doc of docs) {
      forward.add(segment.forward.row(doc));
      if (forward.count % 128 === 0) yield;
    }
  }
  const merged = yield* invertInSteps({ forward, latin }, vocabulary, new Scratch());
  let place = 0;
  for (const { segment, docs } of chosen) {
    for (const doc of docs) {
      if (segment.live[doc] === 0) {
        merged.live[place] = 0;
        merged.size--;
        if (place < latin) merged.inArabic--;
      }
      place++;
    }
  }
  return merged;
}

/** The documents from `from` to before `to` that were not taken out. */
function liveDocuments({ live }: Segment, from: number, to: number): Uint16Array {
  const docs: number[] = [];
  for (let doc = from; doc < to; doc++) if (live[doc] === 1) docs.push(doc);
  return Uint16Array.from(docs);
}

/** Merges of no more documents are made at once: they take some milliseconds. */
const SMALL = 2048;

/** A merge in flight. */
type Merge = { of: readonly Segment[]; steps: Generator<void, Segment | undefined> };

/** The documents of an index, in segments. */
export class Projection {
  readonly vocabulary: Vocabulary;
  readonly scratch = new Scratch();
  segments: readonly Segment[] = [];
  /** How many documents hold each term. */
  documents: Uint32Array = new Uint32Array(1);
  /** Times that each form stands in documents. */
  uses: Uint32Array = new Uint32Array(1);
  /** Documents, and the lengths of all together. */
  count = 0;
  length = 0;
  /** Documents in Arabic, where the segments do not hold all that there are. */
  inArabic: number | undefined;
  /** Grows with every document that is added or taken out. */
  changes = 0;
  /** The tier of each source. */
  tiers: ReadonlyMap<string, number> = new Map();
  #merge: Merge | undefined;

  constructor(vocabulary: Vocabulary = new Vocabulary()) {
    this.vocabulary = vocabulary;
  }

  /** Adds at most `SEGMENT_DOCS` documents; each takes the place of the one of its id that was there before. */
  add(rows: readonly DocumentRow[]): void {
    const last = [...new Map(rows.map((row) => [row.id, row])).values()];
    if (last.length === 0) return;
    for (const { id, seq } of last) this.remove(id, seq);
    const segment = invert(last, this.vocabulary, this.scratch);
    this.documents = grown(this.documents, this.vocabulary.terms + 1, (length) => new Uint32Array(length));
    for (const [i, term] of segment.terms.entries()) {
      this.documents[term] = at(this.documents, term) + at(segment.offsets, i + 1) - at(segment.offsets, i);
    }
    this.uses = grown(this.uses, this.vocabulary.forms + 1, (length) => new Uint32Array(length));
    for (let doc = 0; doc < segment.forward.count; doc++) this.#countUses(segment, doc, 1);
    this.changes++;
    this.count += segment.size;
    for (const length of segment.lengths) this.length += length;
    this.segments = [...this.segments, segment];
    this.#mergeSmall();
  }

  /** Takes out the document of an id if it is older than `seq`. */
  remove(id: number, seq: number): void {
    for (const segment of this.segments) {
      for (const doc of documentsOf(segment, [id])) {
        if (segment.live[doc] === 1 && at(segment.forward.seqs, doc) < seq) this.#kill(segment, doc);
      }
    }
  }

  /** Up to `limit` ids of documents above `after`, ascending. */
  idsAfter(after: number, limit: number): number[] {
    const ids: number[] = [];
    for (const { byId, live, forward } of this.segments) {
      let taken = 0;
      for (let i = firstAbove(byId, forward.ids, after); i < byId.length && taken < limit; i++) {
        const doc = at(byId, i);
        if (live[doc] === 0) continue;
        ids.push(at(forward.ids, doc));
        taken++;
      }
    }
    return ids.sort((a, b) => a - b).slice(0, limit);
  }

  /** Merges segments for about so long. Returns whether nothing is left to merge. */
  merge(ms: number): boolean {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      this.#merge ??= this.#nextMerge();
      if (this.#merge === undefined) return true;
      const { done, value } = this.#merge.steps.next();
      if (done) {
        this.#replace(this.#merge.of, value);
        this.#merge = undefined;
      }
    }
    return false;
  }

  #nextMerge(): Merge | undefined {
    const of = segmentsToMerge(this.segments);
    return of.length === 0 ? undefined : { of, steps: mergeInSteps(of, this.vocabulary) };
  }

  #mergeSmall(): void {
    for (;;) {
      const merging = new Set(this.#merge?.of);
      const of = segmentsToMerge(this.segments.filter((segment) => segment.size <= SMALL && !merging.has(segment)));
      if (of.length === 0 || of.reduce((sum, { size }) => sum + size, 0) > SMALL) return;
      const steps = mergeInSteps(of, this.vocabulary);
      let step = steps.next();
      while (!step.done) step = steps.next();
      this.#replace(of, step.value);
    }
  }

  #replace(old: readonly Segment[], merged: Segment | undefined): void {
    const others = this.segments.filter((segment) => !old.includes(segment));
    this.segments = merged === undefined ? others : [...others, merged];
  }

  #countUses({ forward }: Segment, doc: number, by: 1 | -1): void {
    const { uses } = this;
    const { end } = this.scratch.decode(forward, doc);
    const { forms } = this.scratch;
    for (let i = 1; i < end; i++) {
      const form = forms[i] ?? 0;
      uses[form] = (uses[form] ?? 0) + by;
    }
  }

  #kill(segment: Segment, doc: number): void {
    this.changes++;
    segment.live[doc] = 0;
    segment.size--;
    if (doc < segment.latin) segment.inArabic--;
    this.count--;
    this.length -= at(segment.lengths, doc);
    this.#countUses(segment, doc, -1);
    const { end } = this.scratch.decodeTerms(segment.forward, doc, this.vocabulary);
    for (const term of new Set(this.scratch.terms.subarray(0, end))) {
      this.documents[term] = at(this.documents, term) - 1;
    }
  }
}

/** The first place in `byId` of a document with an id above `after`. */
function firstAbove(byId: Uint16Array, ids: Float64Array, after: number): number {
  let low = 0;
  let high = byId.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(ids, at(byId, middle)) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
