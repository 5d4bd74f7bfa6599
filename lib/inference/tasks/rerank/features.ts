import type { Passage } from "./passage.ts";

/** Numbers that {@link features} gives a passage. */
export const FEATURES = 5;

/**
 * What the first stage says of each passage, FEATURES numbers a passage: the keyword score over the best one, whether
 * there is none, the logarithm of the rank and its inverse, and how long the query is.
 */
export function features(passages: readonly Passage[], queryTokens: number): Float32Array {
  const best = Math.max(1e-6, ...passages.map(({ keywordScore = 0 }) => keywordScore));
  const out = new Float32Array(passages.length * FEATURES);
  passages.forEach(({ keywordScore = 0 }, rank) => {
    const share = Math.max(0, keywordScore) / best;
    const row = [share, share === 0 ? 1 : 0, Math.log1p(rank) / 4, 1 / (1 + rank), Math.log1p(queryTokens) / 4];
    out.set(row, rank * FEATURES);
  });
  return out;
}
