/** A linear-chain CRF over `labels` (BIO tags): scores of the first label and of moves from one label to the next,
 * `moves[from * labels.length + to]`. */
export type Chain = { labels: readonly string[]; starts: Float32Array; moves: Float32Array };

/**
 * A span of tags: tokens from `start` to `end` (exclusive) of the sentence, and the probability that exactly it is
 * there.
 */
export type TagSpan = { type: string; start: number; end: number; probability: number };

/** Scores of one sentence: `length` rows of the chain's labels, from `offset` on, a row every `stride` numbers. */
export type SentenceScores = { scores: Float32Array; offset: number; stride: number; length: number };

/** The labels of the best path through a sentence, by number (Viterbi, 1967). */
export function bestPath(chain: Chain, { scores, offset, stride, length }: SentenceScores): number[] {
  const size = chain.labels.length;
  const back = new Int16Array(length * size);
  let best = new Float64Array(size);
  let next = new Float64Array(size);
  for (let j = 0; j < size; j++) best[j] = (chain.starts[j] ?? 0) + (scores[offset + j] ?? 0);
  for (let t = 1; t < length; t++) {
    for (let j = 0; j < size; j++) {
      let high = Number.NEGATIVE_INFINITY;
      let from = 0;
      for (let i = 0; i < size; i++) {
        const value = (best[i] ?? 0) + (chain.moves[i * size + j] ?? 0);
        if (value > high) {
          high = value;
          from = i;
        }
      }
      next[j] = high + (scores[offset + t * stride + j] ?? 0);
      back[t * size + j] = from;
    }
    [best, next] = [next, best];
  }
  const path = new Array<number>(length).fill(0);
  let last = best.indexOf(Math.max(...best));
  for (let t = length - 1; t >= 0; t--) {
    path[t] = last;
    last = back[t * size + last] ?? 0;
  }
  return path;
}
