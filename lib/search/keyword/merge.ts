import { at } from "../../std/mod.ts";
import { Forward } from "./forward.ts";
import { invertInSteps } from "./invert.ts";
import { Scratch } from "./scratch.ts";
import { SEGMENT_DOCS, type Segment } from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Segments of one size class are merged when there are so many, into one of the next class. */
const FAN_IN = 8;

/** The segments that should become one now, smallest first; none when all are well. */
export function segmentsToMerge(segments: readonly Segment[]): Segment[] {
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
export function* mergeInSteps(
  segments: readonly Segment[],
  vocabulary: Vocabulary,
): Generator<void, Segment | undefined> {
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
