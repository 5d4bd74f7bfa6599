import type { Chain, SentenceScores, TagSpan } from "./chain.ts";

/**
 * The probability of each span under the CRF: the share of all paths that begin it, go through it and end it just there
 * (forward-backward; Lafferty, McCallum and Pereira, 2001). Spans of one token to the whole sentence. What a step says
 * is divided by its sum (Rabiner, 1989), which costs a power a score instead of one a move.
 */
export function withProbabilities(
  chain: Chain,
  place: SentenceScores,
  spans: readonly Omit<TagSpan, "probability">[],
): TagSpan[] {
  if (spans.length === 0) return [];
  const size = chain.labels.length;
  const { length } = place;
  const moves = Float64Array.from(chain.moves, Math.exp);
  const powers = powersOf(place, size);
  const forward = new Float64Array(length * size);
  const backward = new Float64Array(length * size).fill(1);
  const sums = new Float64Array(length);
  for (let t = 0; t < length; t++) {
    let sum = 0;
    for (let j = 0; j < size; j++) {
      let into = t === 0 ? Math.exp(chain.starts[j] ?? 0) : 0;
      if (t > 0) for (let i = 0; i < size; i++) into += (forward[(t - 1) * size + i] ?? 0) * (moves[i * size + j] ?? 0);
      const value = into * (powers[t * size + j] ?? 0);
      forward[t * size + j] = value;
      sum += value;
    }
    sums[t] = sum || Number.MIN_VALUE;
    for (let j = 0; j < size; j++) forward[t * size + j] = (forward[t * size + j] ?? 0) / (sums[t] ?? 0);
  }
  const after = (t: number, i: number, j: number): number =>
    ((moves[i * size + j] ?? 0) * (powers[t * size + j] ?? 0) * (backward[t * size + j] ?? 0)) / (sums[t] ?? 0);
  for (let t = length - 2; t >= 0; t--) {
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += after(t + 1, i, j);
      backward[t * size + i] = sum;
    }
  }
  return spans.map((span) => {
    const inside = chain.labels.indexOf(`I-${span.type}`);
    let last = chain.labels.indexOf(`B-${span.type}`);
    let probability = forward[span.start * size + last] ?? 0;
    for (let t = span.start + 1; t < span.end; t++) {
      probability *= ((moves[last * size + inside] ?? 0) * (powers[t * size + inside] ?? 0)) / (sums[t] ?? 0);
      last = inside;
    }
    if (span.end < length) {
      let ends = 0;
      for (let j = 0; j < size; j++) if (j !== inside) ends += after(span.end, last, j);
      probability *= ends;
    }
    return { ...span, probability: Math.min(1, probability) };
  });
}

/** e to the power of each score, as a share of the highest one of its token. */
function powersOf({ scores, offset, stride, length }: SentenceScores, size: number): Float64Array {
  const powers = new Float64Array(length * size);
  for (let t = 0; t < length; t++) {
    const row = scores.subarray(offset + t * stride, offset + t * stride + size);
    let high = Number.NEGATIVE_INFINITY;
    for (const score of row) if (score > high) high = score;
    for (let j = 0; j < size; j++) powers[t * size + j] = Math.exp((row[j] ?? 0) - high);
  }
  return powers;
}
