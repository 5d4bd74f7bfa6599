import type { BranchResult, VectorHit } from "@isnad/lib/search";
import { reason } from "./failures.ts";

/** What the branches said of each article that they found. */
export type Evidence = {
  keywordScores: ReadonlyMap<number, number>;
  passages: ReadonlyMap<number, VectorHit>;
};

/** The branches' hits by article. */
export function evidenceOf({ keyword, vector }: Pick<BranchResult, "keyword" | "vector">): Evidence {
  return {
    keywordScores: new Map(keyword.map(({ articleId, score }) => [articleId, score])),
    passages: new Map(vector.map((hit) => [hit.articleId, hit])),
  };
}

/** Why each branch that failed, and the reranker, could not answer; empty when all did. */
export function failuresOf(found: BranchResult, rerankError?: unknown): Record<string, string> {
  return {
    ...(found.keywordError !== undefined && { keyword: reason(found.keywordError) }),
    ...(found.vectorError !== undefined && { vector: reason(found.vectorError) }),
    ...(rerankError !== undefined && { rerank: reason(rerankError) }),
  };
}
