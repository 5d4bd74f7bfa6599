import type { Filters } from "../filters.ts";
import type { KeywordQuery } from "../keyword/types.ts";
import { reliableVectorHits } from "./reliable.ts";
import { type Fused, reciprocalRankFusion } from "./rrf.ts";

/** An article found by meaning, with its nearest passage: code-point offsets into its content, end exclusive. */
export type VectorHit = { articleId: number; score: number; chunkNo: number; start: number; end: number };

/** What is asked of both branches. A branch with `k` 0 is skipped. */
export type BranchQuery = Omit<KeywordQuery, "filters" | "limit"> & {
  filters: Filters;
  kKeyword: number;
  kVector: number;
  kRrf: number;
};

/** The two ways to search. Both reject when they cannot answer. */
export type Branches = {
  keyword(query: KeywordQuery): Promise<{ articleId: number; score: number }[]>;
  vector(text: string, k: number, filters: Filters, signal: AbortSignal): Promise<VectorHit[]>;
};

/** The fused list with what each branch said; a branch that was asked and failed has its error here. */
export type BranchResult = {
  fused: Fused[];
  keywordScores: Map<number, number>;
  /** By article: every hit of the vector branch, those too that did not count in the fusion. */
  passages: Map<number, VectorHit>;
  /** Hits of the vector branch that were left out of the fusion. */
  vectorDropped: number;
  keywordError?: unknown;
  vectorError?: unknown;
  keywordMs: number;
  vectorMs: number;
  rrfMs: number;
};

/** Time after which the vector branch counts as failed, in milliseconds. */
const VECTOR_MS = 5_000;

/**
 * Asks both branches at once and fuses what they find, without the vector branch's hits that are not to be relied on
 * ({@link reliableVectorHits}). A branch that fails leaves the other's list. Rejects only when
 * every branch that was asked failed, with the keyword branch's error when it was one of them.
 */
export async function searchBranches(
  branches: Branches,
  { kKeyword, kVector, kRrf, ...query }: BranchQuery,
  { signal, vectorMs = VECTOR_MS }: { signal?: AbortSignal | undefined; vectorMs?: number } = {},
): Promise<BranchResult> {
  const deadline = AbortSignal.timeout(vectorMs);
  const limit = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const [keyword, vector] = await Promise.all([
    attempt(kKeyword, () => branches.keyword({ ...query, limit: kKeyword })),
    attempt(kVector, () => branches.vector(query.text, kVector, query.filters, limit)),
  ]);
  signal?.throwIfAborted();
  if (keyword.error !== undefined && (kVector === 0 || vector.error !== undefined)) throw keyword.error;
  if (vector.error !== undefined && kKeyword === 0) throw vector.error;

  const start = performance.now();
  const counted = reliableVectorHits(keyword.hits, vector.hits);
  const fused = reciprocalRankFusion(
    keyword.hits.map((hit) => hit.articleId),
    counted.map((hit) => hit.articleId),
    kRrf,
  );
  const rrfMs = performance.now() - start;
  return {
    fused,
    keywordScores: new Map(keyword.hits.map((hit) => [hit.articleId, hit.score])),
    passages: new Map(vector.hits.map((hit) => [hit.articleId, hit])),
    vectorDropped: vector.hits.length - counted.length,
    ...(keyword.error !== undefined && { keywordError: keyword.error }),
    ...(vector.error !== undefined && { vectorError: vector.error }),
    keywordMs: keyword.ms,
    vectorMs: vector.ms,
    rrfMs,
  };
}

type Attempt<T> = { hits: T[]; error?: unknown; ms: number };

async function attempt<T>(k: number, search: () => Promise<T[]>): Promise<Attempt<T>> {
  if (k === 0) return { hits: [], ms: 0 };
  const start = performance.now();
  try {
    return { hits: await search(), ms: performance.now() - start };
  } catch (error) {
    return { hits: [], error: error ?? new Error("a branch failed"), ms: performance.now() - start };
  }
}
