import { at } from "../../std/index.ts";

/** A document of the fused list. Ranks count from 1 and are null where the branch did not find it. */
export type Fused = {
  articleId: number;
  keywordRank: number | null;
  vectorRank: number | null;
  /** Sum over the branches of 1 / (k + rank). */
  score: number;
};

/**
 * Reciprocal rank fusion of two ranked lists of ids, best first (Cormack, Clarke and Büttcher, SIGIR 2009). Equal
 * scores are ordered by the better single rank, then by keyword rank. No further rule is needed: a keyword rank belongs
 * to one document, and two documents without one that have equal scores would share a vector rank.
 */
export function reciprocalRankFusion(keyword: readonly number[], vector: readonly number[], k: number): Fused[] {
  const near = new Map<number, Fused>();
  vector.forEach((articleId, i) => {
    if (near.has(articleId)) return;
    near.set(articleId, { articleId, keywordRank: null, vectorRank: i + 1, score: 1 / (k + i + 1) });
  });
  const alone = new Map<number, Fused>();
  keyword.forEach((articleId, i) => {
    const hit = near.get(articleId);
    if (hit === undefined) {
      if (alone.has(articleId)) return;
      alone.set(articleId, { articleId, keywordRank: i + 1, vectorRank: null, score: 1 / (k + i + 1) });
    } else if (hit.keywordRank === null) {
      hit.keywordRank = i + 1;
      hit.score += 1 / (k + i + 1);
    }
  });
  return merged([...near.values()].sort(fusedOrder), [...alone.values()]);
}

/** One list of two that are in the order of a fused list. */
function merged(a: readonly Fused[], b: readonly Fused[]): Fused[] {
  const both: Fused[] = [];
  let j = 0;
  for (const hit of a) {
    for (let next = b[j]; next !== undefined && fusedOrder(next, hit) < 0; next = b[++j]) both.push(next);
    both.push(hit);
  }
  for (; j < b.length; j++) both.push(at(b, j));
  return both;
}

/** The order of a fused list. */
export function fusedOrder(a: Fused, b: Fused): number {
  return b.score - a.score || bestRank(a) - bestRank(b) || (a.keywordRank ?? Infinity) - (b.keywordRank ?? Infinity);
}

function bestRank({ keywordRank, vectorRank }: Fused): number {
  return Math.min(keywordRank ?? Infinity, vectorRank ?? Infinity);
}
