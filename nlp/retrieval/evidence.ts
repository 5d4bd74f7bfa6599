import { InferenceError } from "@isnad/lib/models";
import { type Follower, isBehind } from "@isnad/lib/projection";
import { type BranchResult, KeywordIndexError, type VectorHit } from "@isnad/lib/search";
import { AppError } from "@isnad/lib/service/http";

/** Turns what lower layers throw into problems; undefined for what is a fault of the code. */
export function classify(error: unknown): AppError | undefined {
  const unavailable = (detail: string) => new AppError("service-unavailable", detail, { cause: error });
  if (error instanceof KeywordIndexError) return unavailable("The keyword index cannot answer now.");
  if (error instanceof InferenceError) return unavailable(`The model ${error.model ?? "asked for"} cannot answer now.`);
  if (error instanceof VectorsUnavailable && error.cause instanceof AppError) return error.cause;
  if (error instanceof VectorsUnavailable) return unavailable("The vector index cannot answer now.");
  return undefined;
}

/** The vector branch failed; `cause` says why. */
export class VectorsUnavailable extends Error {
  override readonly name = "VectorsUnavailable";
}

/** Returns what the log line says of a branch that failed. */
function reason(error: unknown): string {
  return String(error);
}

/** Holds what the branches said of each article that they found. */
export type Evidence = {
  /** The score of the article with this rank in the keyword branch, from 1; undefined for null. */
  keywordScore(rank: number | null): number | undefined;
  passages: ReadonlyMap<number, VectorHit>;
};

/** The branches' hits by article. */
export function evidenceOf({ keyword, vector }: Pick<BranchResult, "keyword" | "vector">): Evidence {
  return {
    keywordScore: (rank) => keyword[(rank ?? 0) - 1]?.score,
    passages: new Map(vector.map((hit) => [hit.articleId, hit])),
  };
}

/**
 * Why each branch that failed, and the reranker, could not answer, and what is known of indexes that are being made
 * equal to the database; empty when all did and are.
 */
export function failuresOf(
  found: Pick<BranchResult, "keywordError" | "vectorError">,
  rerankError: unknown,
  followers: readonly Follower[],
): Record<string, string> {
  const behind = followers.filter(isBehind);
  return {
    ...(behind.length > 0 && { followers: behind.map(({ name, status }) => `${name} ${status().state}`).join(", ") }),
    ...(found.keywordError !== undefined && { keyword: reason(found.keywordError) }),
    ...(found.vectorError !== undefined && { vector: reason(found.vectorError) }),
    ...(rerankError !== undefined && { rerank: reason(rerankError) }),
  };
}
