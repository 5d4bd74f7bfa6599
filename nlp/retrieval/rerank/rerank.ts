import type { Passage } from "@isnad/lib/models";
import { at } from "@isnad/lib/std";
import type { QueryTerms } from "@isnad/lib/text";
import type { FoundDocument } from "../documents.ts";
import type { Judge, RerankStore } from "../deps.ts";
import type { Evidence } from "../evidence.ts";
import { passageOf } from "./passage.ts";

/**
 * The fused hits that are reranked: the first so many. What lies deeper keeps its order behind them. Of 20, 30 and 50,
 * measured on the sets of `bun run eval --task rerank`, 30 gain the most on questions without losing elsewhere.
 */
export const RERANKED = 30;

/**
 * Hits that no vectors were made of beforehand, and whose texts a reranker of vectors reads with the search: the first
 * so many, some 0.1 s of a processor. The others keep their places: reading all would hold up the searches beside it.
 */
export const READ_ALONG = 10;

/** A hit with the reranker's score; null where it was not reranked. */
export type RankedDocument<T> = FoundDocument<T> & { rerankScore: number | null };

/** The hits in their new order, with what went wrong: then the order is the old one. */
export type Reranked<T> = { page: RankedDocument<T>[]; ms: number; error?: unknown };

/**
 * Puts the first {@link RERANKED} of `page`, a fused list from its beginning, into the order of the reranker's scores;
 * ties keep the fused order. One that takes vectors is given those that the articles were read to beforehand, and the
 * texts of {@link READ_ALONG} others. How long it may take is the reranker's own affair: some are hundreds of times as
 * slow as others. Rejects only when the caller goes away.
 */
export async function rerankPage<T extends { articleId: number; keywordRank: number | null }>(
  { judge, store }: { judge: Judge; store: RerankStore },
  query: string,
  page: readonly FoundDocument<T>[],
  { evidence, terms, signal }: { evidence: Evidence; terms: QueryTerms; signal?: AbortSignal | undefined },
): Promise<Reranked<T>> {
  const start = performance.now();
  const head = page.slice(0, RERANKED);
  try {
    const ids = head.map(({ document }) => document.articleId);
    const vectorsOf = judge.dims > 0 ? await store.rerank.vectorsOf(ids, judge) : new Map<number, Int8Array>();
    const unread = head.filter(({ document }) => !vectorsOf.has(document.articleId));
    const passedOver = new Set(judge.dims > 0 ? unread.slice(READ_ALONG) : []);
    const judged = head.filter((hit) => !passedOver.has(hit));
    const passages = judged.map(({ articleId, document, keywordRank }): Passage => {
      const vectors = vectorsOf.get(document.articleId);
      const text = vectors === undefined ? passageOf(document, terms, evidence.passages.get(articleId)) : "";
      return { title: document.title, text, vectors, keywordScore: evidence.keywordScore(keywordRank) };
    });
    const scores = await judge.rerank(query, passages, signal === undefined ? {} : { signal });
    const ranked = judged
      .map((hit, i): RankedDocument<T> => ({ ...hit, rerankScore: at(scores, i) }))
      .sort((a, b) => (b.rerankScore ?? 0) - (a.rerankScore ?? 0))
      .values();
    const all = unranked(page).map((hit, i) => {
      const { value = hit } = i < head.length && !passedOver.has(at(head, i)) ? ranked.next() : { value: hit };
      return { ...value, finalRank: i + 1 };
    });
    return { page: all, ms: performance.now() - start };
  } catch (error) {
    signal?.throwIfAborted();
    return { page: unranked(page), ms: performance.now() - start, error };
  }
}

/** The hits as they are. */
export function unranked<T>(page: readonly FoundDocument<T>[]): RankedDocument<T>[] {
  return page.map((hit) => ({ ...hit, rerankScore: null }));
}
