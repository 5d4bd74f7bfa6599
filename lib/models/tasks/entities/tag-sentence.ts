import { bestPath, type SentenceScores, type TagSpan } from "./chain.ts";
import type { Head } from "./heads.ts";
import { withProbabilities } from "./span-probability.ts";
import { spansOf } from "./spans.ts";

/** The answer for one sentence: a BIO tag a token, and the spans with calibrated probabilities. */
export type TaggedSentence = { tags: string[]; spans: TagSpan[] };

/** The best tags of a sentence under a head's chain, and its spans. */
export function tagSentence(head: Head, at: SentenceScores): TaggedSentence {
  if (at.length === 0) return { tags: [], spans: [] };
  const tags = bestPath(head, at).map((label) => head.labels[label] ?? "O");
  const spans = withProbabilities(head, at, spansOf(tags));
  return { tags, spans: spans.map((span) => ({ ...span, probability: calibrated(span.probability, head) })) };
}

function calibrated(probability: number, { scale, bias }: Head): number {
  const p = Math.min(1 - 1e-6, Math.max(1e-6, probability));
  return 1 / (1 + Math.exp(-(scale * Math.log(p / (1 - p)) + bias)));
}
