import { at } from "../../std/mod.ts";
import type { QueryWord } from "./exactness.ts";
import type { Projection } from "./projection.ts";
import type { Segment } from "./segment.ts";

/**
 * How much of a query a document holds, as shares (0 to 1) of the weights of its words, in any form; words that no
 * document holds are left aside.
 */
export type Matched = {
  /** In the title. */
  title: number;
  /** Near each other in the content: within as many words as the query has, and {@link APART} more. */
  passage: number;
  /**
   * The share of the query's words, not of their weights, with which the title or the content begins: as written, each
   * at its place; 0 for fewer than {@link OPENING}.
   */
  opening: number;
  /** The share of the query's words that some document holds. */
  known: number;
};

/** Words that may stand between those of the query. */
const APART = 2;

/** So many words at the beginning are no chance. */
const OPENING = 3;

/** What a document holds of the words of a query. */
export function matched(
  words: readonly QueryWord[],
  { scratch, vocabulary: { stems } }: Projection,
  segment: Segment,
  doc: number,
): Matched {
  const weights = new Map<number, number>();
  for (const { stem, weight } of words) if (stem !== 0) weights.set(stem, (weights.get(stem) ?? 0) + weight);
  const known = words.filter(({ stem }) => stem !== 0).length / Math.max(1, words.length);
  const { content, end } = scratch.decode(segment.forward, doc);
  const stemAt = (place: number) => stems[at(scratch.forms, place)] ?? 0;
  const opens = (from: number, to: number): number => {
    const same = words.filter(({ form }, i) => form !== 0 && from + i < to && scratch.forms[from + i] === form);
    return same.length < OPENING ? 0 : same.length / words.length;
  };
  return {
    title: shareWithin(weights, stemAt, { from: 1, to: content, width: content }),
    passage: shareWithin(weights, stemAt, { from: content, to: end, width: words.length + APART }),
    opening: Math.max(opens(1, content), opens(content, end)),
    known,
  };
}

/** The largest share of the weights that stems hold which stand within `width` places of each other. */
function shareWithin(
  weights: ReadonlyMap<number, number>,
  stemAt: (place: number) => number,
  { from, to, width }: { from: number; to: number; width: number },
): number {
  const counts = new Map<number, number>();
  let sum = 0;
  let best = 0;
  /** Takes the stem of a place in (1) or out (-1). */
  const count = (place: number, by: 1 | -1): void => {
    const stem = stemAt(place);
    const weight = weights.get(stem);
    if (weight === undefined) return;
    const before = counts.get(stem) ?? 0;
    counts.set(stem, before + by);
    if (before === 0) sum += weight;
    else if (before + by === 0) sum -= weight;
  };
  for (let place = from; place < to; place++) {
    count(place, 1);
    if (place - width >= from) count(place - width, -1);
    best = Math.max(best, sum);
  }
  const total = [...weights.values()].reduce((all, weight) => all + weight, 0);
  return total === 0 ? 0 : Math.min(1, best / total);
}
