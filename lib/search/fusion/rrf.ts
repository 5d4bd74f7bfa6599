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
  const fused = new Map<number, Fused>();
  keyword.forEach((articleId, i) => {
    if (!fused.has(articleId)) {
      fused.set(articleId, { articleId, keywordRank: i + 1, vectorRank: null, score: 1 / (k + i + 1) });
    }
  });
  vector.forEach((articleId, i) => {
    const found = fused.get(articleId);
    if (found === undefined) {
      fused.set(articleId, { articleId, keywordRank: null, vectorRank: i + 1, score: 1 / (k + i + 1) });
    } else if (found.vectorRank === null) {
      found.vectorRank = i + 1;
      found.score += 1 / (k + i + 1);
    }
  });
  return [...fused.values()].sort(fusedOrder);
}

/** The order of a fused list. */
export function fusedOrder(a: Fused, b: Fused): number {
  return b.score - a.score || bestRank(a) - bestRank(b) || (a.keywordRank ?? Infinity) - (b.keywordRank ?? Infinity);
}

function bestRank({ keywordRank, vectorRank }: Fused): number {
  return Math.min(keywordRank ?? Infinity, vectorRank ?? Infinity);
}
