import type { Chain, SentenceScores, TagSpan } from "./chain.ts";

/** log(sum(exp(values))) */
function logSum(values: Float64Array): number {
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > high) high = value;
  if (high === Number.NEGATIVE_INFINITY) return high;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - high);
  return high + Math.log(sum);
}

/**
 * The probability of each span under the CRF: the share of all paths that begin it, go through it and end it just there
 * (forward-backward; Lafferty, McCallum and Pereira, 2001). Spans of one token to the whole sentence.
 */
export function withProbabilities(
  chain: Chain,
  place: SentenceScores,
  spans: readonly Omit<TagSpan, "probability">[],
): TagSpan[] {
  if (spans.length === 0) return [];
  const size = chain.labels.length;
  const { length } = place;
  const score = (t: number, j: number): number => place.scores[place.offset + t * place.stride + j] ?? 0;
  const move = (i: number, j: number): number => chain.moves[i * size + j] ?? 0;
  const forward = new Float64Array(length * size);
  const backward = new Float64Array(length * size);
  const terms = new Float64Array(size);
  for (let j = 0; j < size; j++) forward[j] = (chain.starts[j] ?? 0) + score(0, j);
  for (let t = 1; t < length; t++) {
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) terms[i] = (forward[(t - 1) * size + i] ?? 0) + move(i, j);
      forward[t * size + j] = logSum(terms) + score(t, j);
    }
  }
  for (let t = length - 2; t >= 0; t--) {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) terms[j] = move(i, j) + score(t + 1, j) + (backward[(t + 1) * size + j] ?? 0);
      backward[t * size + i] = logSum(terms);
    }
  }
  const total = logSum(forward.slice((length - 1) * size));
  return spans.map((span) => {
    const inside = chain.labels.indexOf(`I-${span.type}`);
    let last = chain.labels.indexOf(`B-${span.type}`);
    let path = forward[span.start * size + last] ?? Number.NEGATIVE_INFINITY;
    for (let t = span.start + 1; t < span.end; t++) {
      path += move(last, inside) + score(t, inside);
      last = inside;
    }
    if (span.end < length) {
      for (let j = 0; j < size; j++) {
        const ends = j !== inside;
        terms[j] = ends
          ? move(last, j) + score(span.end, j) + (backward[span.end * size + j] ?? 0)
          : Number.NEGATIVE_INFINITY;
      }
      path += logSum(terms);
    }
    return { ...span, probability: Math.min(1, Math.exp(path - total)) };
  });
}
