import { at } from "../../std/index.ts";
import { grown } from "../vector/grow.ts";
import { type DocumentRow, Forward } from "./forward.ts";
import { Scratch } from "./scratch.ts";
import { documentsOf, invert, SEGMENT_DOCS, type Segment } from "./segment.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Segments of one size class are merged when there are so many, into one of the next class. */
const FAN_IN = 8;

/** The index in memory: what the database held when it was read last. */
export class Projection {
  readonly vocabulary = new Vocabulary();
  readonly scratch = new Scratch();
  segments: readonly Segment[] = [];
  /** How many documents hold each term. */
  documents: Uint32Array = new Uint32Array(1);
  /** Documents, and the lengths of all together. */
  count = 0;
  length = 0;
  /** The tier of each source. */
  tiers: ReadonlyMap<string, number> = new Map();

  /** Adds documents; each takes the place of the one of its id that was there before. At most {@link SEGMENT_DOCS}. */
  add(rows: readonly DocumentRow[]): void {
    if (rows.length === 0) return;
    const last = new Map(rows.map((row) => [row.id, row]));
    const forward = new Forward();
    for (const row of last.values()) {
      this.remove(row.id, row.seq);
      forward.add(row);
    }
    const segment = invert(forward.seal(), this.vocabulary, this.scratch);
    this.documents = grown(this.documents, this.vocabulary.terms + 1, (length) => new Uint32Array(length));
    segment.terms.forEach((term, i) => {
      this.documents[term] = at(this.documents, term) + at(segment.offsets, i + 1) - at(segment.offsets, i);
    });
    this.count += segment.size;
    for (const length of segment.lengths) this.length += length;
    this.segments = [...this.segments, segment];
    this.#merge();
  }

  /** Takes out the document of an id if it is older than `seq`. */
  remove(id: number, seq: number): void {
    for (const segment of this.segments) {
      for (const doc of documentsOf(segment, [id])) {
        if (segment.live[doc] === 1 && at(segment.forward.seqs, doc) < seq) this.#kill(segment, doc);
      }
    }
  }

  #kill(segment: Segment, doc: number): void {
    segment.live[doc] = 0;
    segment.size--;
    this.count--;
    this.length -= at(segment.lengths, doc);
    const { end } = this.scratch.decodeTerms(segment.forward, doc, this.vocabulary);
    for (const term of new Set(this.scratch.terms.subarray(0, end))) {
      this.documents[term] = at(this.documents, term) - 1;
    }
  }

  /** Keeps the segments few: what is of one size class becomes one, and what is mostly taken out is written anew. */
  #merge(): void {
    for (;;) {
      const chosen = this.#mergeable();
      if (chosen.length === 0) return;
      const rest = this.segments.filter((segment) => !chosen.includes(segment));
      const forward = new Forward();
      for (const { forward: from, live } of chosen) {
        for (let doc = 0; doc < from.count; doc++) if (live[doc] === 1) forward.add(from.row(doc));
      }
      this.segments = forward.count === 0 ? rest : [...rest, invert(forward.seal(), this.vocabulary, this.scratch)];
    }
  }

  #mergeable(): Segment[] {
    const sparse = this.segments.find(({ size, forward }) => size * 2 < forward.count);
    if (sparse !== undefined) return [sparse];
    const classes = new Map<number, Segment[]>();
    for (const segment of this.segments) {
      const sizeClass = Math.floor(Math.log2(segment.size) / Math.log2(FAN_IN));
      const others = classes.get(sizeClass) ?? [];
      classes.set(sizeClass, [...others, segment]);
    }
    for (const segments of classes.values()) {
      const group = fitting(segments);
      if (segments.length >= FAN_IN && group.length > 1) return group;
    }
    return [];
  }
}

/** As many of the segments, smallest first, as fit into one. */
function fitting(segments: readonly Segment[]): Segment[] {
  let total = 0;
  return segments
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => {
      total += size;
      return total <= SEGMENT_DOCS;
    });
}
