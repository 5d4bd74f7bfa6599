import type { SentenceScores, TagSpan } from "./chain.ts";
import type { NestedHeads } from "./heads.ts";
import { tagSentence } from "./tag-sentence.ts";

/** An entity of a sentence: tokens from `start` to `end` (exclusive); `cut` letters of the first stand before it. */
export type NestedSpan = TagSpan & { cut: number };

/** Scores of all outputs for one sentence: `length` rows of `stride` numbers, from `offset` on. */
export type OutputScores = SentenceScores;

/**
 * The entities of a sentence, those that hold others first. Each type is decoded by itself, so that entities nest; of
 * two that cross, or have the same words, the likelier one stays.
 */
export function nestedSpans(heads: NestedHeads, outputs: OutputScores): NestedSpan[] {
  const candidates = heads.types.flatMap((head) => {
    const place = { ...outputs, offset: outputs.offset + head.first };
    return mayBegin(place) ? tagSentence(head, place).spans : [];
  });
  const kept: TagSpan[] = [];
  for (const span of candidates.sort((a, b) => b.probability - a.probability)) {
    if (kept.every((other) => areNested(span, other))) kept.push(span);
  }
  return kept
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((span) => ({ ...span, cut: cutOf(heads, outputs, span.start) }));
}

/** Whether any word is likelier to begin an entity of the type than not. */
function mayBegin({ scores, offset, stride, length }: SentenceScores): boolean {
  for (let row = 0; row < length; row++) {
    const from = offset + row * stride;
    if ((scores[from + 1] ?? 0) > (scores[from] ?? 0)) return true;
  }
  return false;
}

/** Whether two spans are apart, or one holds the other and more. */
function areNested(a: TagSpan, b: TagSpan): boolean {
  if (a.end <= b.start || b.end <= a.start) return true;
  if (a.start === b.start && a.end === b.end) return false;
  return (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
}

function cutOf({ cuts }: NestedHeads, { scores, offset, stride }: OutputScores, token: number): number {
  const from = offset + token * stride + cuts.first;
  let best = 0;
  for (let cut = 1; cut < cuts.count; cut++) if ((scores[from + cut] ?? 0) > (scores[from + best] ?? 0)) best = cut;
  return best;
}
