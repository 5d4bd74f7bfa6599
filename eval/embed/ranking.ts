/** recall@10 and nDCG@10 (binary relevance) over a set of queries, each from 0 to 1. */
export type Scores = { recall: number; ndcg: number };

/** Inner product of two vectors of one length. Throws RangeError for others. */
export function dot(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new RangeError(`vectors of ${a.length} and ${b.length} dimensions`);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The indexes of the `k` best documents for `query`, best first, without those that `skip` names. */
export function nearest(query: Float32Array, documents: readonly Float32Array[], k: number, skip = -1): number[] {
  const best: { index: number; score: number }[] = [];
  documents.forEach((document, index) => {
    const score = dot(query, document);
    const last = best.at(-1);
    if (index === skip || (best.length === k && last !== undefined && score <= last.score)) return;
    let place = best.length;
    while (place > 0 && (best[place - 1]?.score ?? 0) < score) place--;
    best.splice(place, 0, { index, score });
    if (best.length > k) best.pop();
  });
  return best.map((hit) => hit.index);
}

/** The scores of rankings, indexes best first; `wanted[i]` holds the indexes that answer query `i`. */
export function scoresOf(rankings: readonly (readonly number[])[], wanted: readonly ReadonlySet<number>[]): Scores {
  let recall = 0;
  let ndcg = 0;
  rankings.forEach((ranking, i) => {
    const right = wanted[i] ?? new Set<number>();
    const hits = ranking.slice(0, 10).map((index) => right.has(index));
    const gain = hits.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0);
    let ideal = 0;
    for (let place = 0; place < Math.min(10, right.size); place++) ideal += 1 / Math.log2(place + 2);
    recall += hits.filter(Boolean).length / right.size;
    ndcg += gain / ideal;
  });
  return { recall: recall / rankings.length, ndcg: ndcg / rankings.length };
}
