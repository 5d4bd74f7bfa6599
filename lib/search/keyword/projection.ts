import { at } from "../../std/mod.ts";
import { grown } from "../vector/grow.ts";
import type { DocumentRow } from "./forward.ts";
import { invert } from "./invert.ts";
import { mergeInSteps, segmentsToMerge } from "./merge.ts";
import { Scratch } from "./scratch.ts";
import { documentsOf, type Segment } from "./segment.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Merges of no more documents are made at once: they take some milliseconds. */
const SMALL = 2048;

/** A merge in work. */
type Merge = { of: readonly Segment[]; steps: Generator<void, Segment | undefined> };

/** The documents of an index, in segments. */
export class Projection {
  readonly vocabulary: Vocabulary;
  readonly scratch = new Scratch();
  segments: readonly Segment[] = [];
  /** How many documents hold each term. */
  documents: Uint32Array = new Uint32Array(1);
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

  #kill(segment: Segment, doc: number): void {
    this.changes++;
    segment.live[doc] = 0;
    segment.size--;
    if (doc < segment.latin) segment.inArabic--;
    this.count--;
    this.length -= at(segment.lengths, doc);
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
