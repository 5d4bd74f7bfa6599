import type { Reranker } from "@isnad/lib/inference";
import type { BranchResult } from "@isnad/lib/search";
import type { QueryTerms } from "@isnad/lib/text";
import type { FoundDocument } from "../documents.ts";
import { passageOf } from "./passage.ts";

/**
 * The fused hits that are reranked: the first so many. What lies deeper keeps its order behind them. Of 20, 30 and 50, measured on the sets of
 * `bun run eval --task rerank`, 30 gain the most on questions without losing elsewhere.
 */
export const RERANKED = 30;

/** A hit with the reranker's score; null where it was not reranked. */
export type RankedDocument = FoundDocument & { rerankScore: number | null };

/** The hits in their new order, with what went wrong: then the order is the old one. */
export type Reranked = { page: RankedDocument[]; ms: number; error?: unknown };

/**
 * Puts the first {@link RERANKED} of `page`, a fused list from its beginning, into the order of the reranker's scores; ties keep the fused order.
 * How long that may take is the reranker's own affair: some are hundreds of times as slow as others. Rejects only when the caller goes away.
 */
export async function rerankPage(
  reranker: Pick<Reranker, "rerank">,
  query: string,
  page: readonly FoundDocument[],
  { found, terms, signal }: { found: BranchResult; terms: QueryTerms; signal?: AbortSignal | undefined },
): Promise<Reranked> {
  const start = performance.now();
  const head = page.slice(0, RERANKED);
  const passages = head.map(({ articleId, document }) => ({
    title: document.title,
    text: passageOf(document, terms, found.passages.get(articleId)),
    keywordScore: found.keywordScores.get(articleId),
  }));
  try {
    const scores = await reranker.rerank(query, passages, signal === undefined ? {} : { signal });
    const ranked = head
      .map((hit, i): RankedDocument => ({ ...hit, rerankScore: scores[i] ?? 0 }))
      .sort((a, b) => (b.rerankScore ?? 0) - (a.rerankScore ?? 0));
    const all = [...ranked, ...unranked(page.slice(RERANKED))];
    return { page: all.map((hit, i) => ({ ...hit, finalRank: i + 1 })), ms: performance.now() - start };
  } catch (error) {
    signal?.throwIfAborted();
    return { page: unranked(page), ms: performance.now() - start, error };
  }
}

/** The hits as they are. */
export function unranked(page: readonly FoundDocument[]): RankedDocument[] {
  return page.map((hit) => ({ ...hit, rerankScore: null }));
}
