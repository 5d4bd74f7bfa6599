import type { SearchFusion } from "../../contract/search-v1.ts";
import { at } from "../../std/mod.ts";
import type { BranchResult } from "./branches.ts";
import { supportedNeighbours } from "./cut.ts";
import { type Fused, rankByReciprocalRanks, type Ranked } from "./rrf.ts";

/** A document of the fused list with the score that orders it, and that of its ranks. */
export type Hybrid = Omit<Fused, "score"> & { score: number; rrfScore: number };

/**
 * What a keyword score, over the square root of the best one, and a cosine count in the combined score; chosen on sets
 * of questions.
 */
const WORDS = 0.2;
const MEANING = 0.8;

type Lists = Pick<BranchResult, "keyword" | "vector"> & Partial<Pick<BranchResult, "quoted">>;
type HybridOptions = { k: number; fusion: SearchFusion };

/** As {@link rankHybrid}, all of the hits. */
export function fuseHybrid(found: Lists, options: HybridOptions): { hits: Hybrid[]; cut: number } {
  const { hits, cut } = rankHybrid(found, options);
  return { hits: hits.slice(), cut };
}

/**
 * The hits of a hybrid search, best first: those of the keyword branch, and the nearest neighbours as far as the
 * scores support them ({@link supportedNeighbours}); `cut` is how many these are. The hits are the same with every
 * fusion. `rrf` orders them by reciprocal rank fusion. `score` orders by the combined score 0.2 · bm25 / √(best bm25)
 * + 0.8 · cosine, where a document that is no neighbour counts as the last of them; equal ones stay in the order of
 * `rrf`.
 */
export function rankHybrid(
  { keyword, vector, quoted }: Lists,
  { k, fusion }: HybridOptions,
): { hits: Ranked<Hybrid>; cut: number } {
  const cut = supportedNeighbours({ keyword, vector, quoted }, k);
  const fused = rankByReciprocalRanks(
    keyword.map(({ articleId }) => articleId),
    vector.slice(0, cut).map(({ articleId }) => articleId),
    k,
  );
  const hitsFrom = (from?: number, to?: number): Hybrid[] =>
    fused.slice(from, to).map(({ articleId, keywordRank, vectorRank, score }) => {
      return { articleId, keywordRank, vectorRank, score, rrfScore: score };
    });
  if (fusion === "rrf") return { hits: { length: fused.length, slice: hitsFrom }, cut };
  const hits = hitsFrom();
  const similarities = new Map(vector.map(({ articleId, score }) => [articleId, score]));
  const last = vector.at(-1)?.score ?? 0;
  const unit = Math.sqrt(keyword[0]?.score || 1);
  for (const hit of hits) {
    const score = hit.keywordRank === null ? 0 : at(keyword, hit.keywordRank - 1).score / unit;
    hit.score = WORDS * score + MEANING * (similarities.get(hit.articleId) ?? last);
  }
  return { hits: hits.sort((a, b) => b.score - a.score), cut };
}
