import type { NestedEntity, Tagger } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import type { GoldSentence, GoldSpan } from "./read.ts";

/** Micro-averaged scores of exact spans with their types. */
export type SpanF1 = { f1: number; precision: number; recall: number };

/** Scores over all entities and over those that lie in no other; a prediction a sentence, as a line of JSON. */
export type NestedEvaluation = { nested: SpanF1; flat: SpanF1; predictions: string[] };

/** Sentences of one call. */
const TOGETHER = 64;

/** Finds the entities of each sentence by itself, as one request to /ner has them, and compares. */
export async function evalNested(
  tagger: Pick<Tagger, "nested">,
  sentences: readonly GoldSentence[],
): Promise<NestedEvaluation> {
  if (sentences.length === 0) throw new RangeError("there is no sentence to measure");
  const predicted: GoldSpan[][] = [];
  for (let i = 0; i < sentences.length; i += TOGETHER) {
    const part = sentences.slice(i, i + TOGETHER);
    const answers = await tagger.nested(part.map(({ text }) => text));
    predicted.push(...answers.map(({ entities }, n) => spansIn(at(part, n), entities)));
  }
  const gold = sentences.map(({ entities }) => entities);
  return {
    nested: scoreOf(gold, predicted),
    flat: scoreOf(gold.map(outermost), predicted.map(outermost)),
    predictions: sentences.map(({ text }, i) => JSON.stringify({ text, entities: at(predicted, i) })),
  };
}

/** The entities in what the set counts: code points, or the tokens that they touch. */
function spansIn({ tokens }: GoldSentence, entities: readonly NestedEntity[]): GoldSpan[] {
  if (tokens === undefined) return entities.map(({ type, start, end }) => ({ type, start, end }));
  return entities.map(({ type, start, end }) => {
    const first = tokens.findIndex((token) => token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    return { type, start: first, end: last + 1 };
  });
}

const holds = (a: GoldSpan, b: GoldSpan): boolean =>
  a.start <= b.start && b.end <= a.end && (a.start !== b.start || a.end !== b.end);

/** Those that lie in no other; of two with the same words the first. */
export function outermost(spans: readonly GoldSpan[]): GoldSpan[] {
  return spans.filter(
    (span, i) =>
      !spans.some((other) => holds(other, span)) &&
      spans.findIndex(({ start, end }) => start === span.start && end === span.end) === i,
  );
}

/** Precision, recall and F1 of exact spans and types. */
export function scoreOf(gold: readonly (readonly GoldSpan[])[], found: readonly (readonly GoldSpan[])[]): SpanF1 {
  const keysOf = (spans: readonly GoldSpan[]) =>
    new Set(spans.map(({ type, start, end }) => `${start}-${end}-${type}`));
  const counts = { right: 0, found: 0, gold: 0 };
  gold.forEach((spans, i) => {
    const want = keysOf(spans);
    const have = keysOf(found[i] ?? []);
    counts.gold += want.size;
    counts.found += have.size;
    counts.right += want.intersection(have).size;
  });
  const precision = counts.found === 0 ? 0 : counts.right / counts.found;
  const recall = counts.gold === 0 ? 0 : counts.right / counts.gold;
  const f1 = counts.right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall };
}
