import { SEARCH_DEPTH, type SearchBody, type SearchParams, type SearchResult } from "@isnad/lib/contract";
import { type Branches, searchBranches } from "@isnad/lib/search";
import { mapInSlices } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import { queryTerms } from "@isnad/lib/text";
import { withDocuments } from "../documents.ts";
import { reason, VectorsUnavailable } from "../failures.ts";
import { show } from "./passages.ts";

/** Results of the keyword branch, whatever page is asked for: so that pages fit together. */
export const KEYWORD_WINDOW = SEARCH_DEPTH;

/** Results of the vector branch. Everything is somehow near: what lies deeper is noise, and dear to find. */
export const VECTOR_WINDOW = 200;

/** Titles weigh three times as much as content. */
const FIELDS = { title: 3, content: 1 };

/** A search and what the log is to say of a branch that failed. */
export type SearchOutcome = { body: SearchBody; rrfMs: number; failures: Record<string, string> };

/**
 * Runs a search of the platform. Rejects when no branch that `mode` needs can answer; in mode `hybrid` one branch is enough.
 */
export async function search(
  { branches, store, taxonomyVersion }: { branches: Branches; store: Pick<Store, "articles">; taxonomyVersion: string },
  params: SearchParams,
  signal?: AbortSignal,
): Promise<SearchOutcome> {
  const start = performance.now();
  const { q, mode, limit, offset, lang } = params;
  const { source, category, domain, source_tier, from, to, k_rrf } = params;
  const found = await searchBranches(
    branches,
    {
      text: q,
      lang,
      fields: FIELDS,
      filters: { lang, source, category, domain, sourceTier: source_tier, from, to },
      kKeyword: mode === "vector" ? 0 : KEYWORD_WINDOW,
      kVector: vectorWindow(params),
      kRrf: k_rrf,
    },
    { signal },
  ).catch((error: unknown) => {
    if (mode === "vector") throw new VectorsUnavailable("the vector branch failed", { cause: error });
    throw error;
  });
  const fetchStart = performance.now();
  const page = await withDocuments(store, found.fused, { offset, limit });
  const showStart = performance.now();
  const terms = queryTerms(q);
  const results = await mapInSlices(page, ({ document, ...hit }): SearchResult => {
    const nearest = found.passages.get(hit.articleId);
    const shown = show(document, terms, nearest);
    return {
      article_id: document.articleId,
      doc_id: document.docId,
      title: document.title,
      snippet: shown.snippet,
      url: document.url,
      source: document.sourceId,
      lang: document.lang,
      category: document.categoryId,
      published_at: document.publishedAt,
      score: scoreOf(mode, hit.score, found.keywordScores.get(hit.articleId), nearest?.score),
      bm25_rank: hit.keywordRank,
      knn_rank: hit.vectorRank,
      rrf_score: hit.score,
      highlights: shown.highlights,
    };
  });
  const end = performance.now();
  const failures: Record<string, string> = {};
  if (found.keywordError !== undefined) failures.keyword = reason(found.keywordError);
  if (found.vectorError !== undefined) failures.vector = reason(found.vectorError);
  const body: SearchBody = {
    schema: "search.v1",
    query: q,
    mode,
    total: found.fused.length,
    results,
    meta: {
      took_ms: round(end - start),
      taxonomy_version: taxonomyVersion,
      degraded: Object.keys(failures).length > 0,
      diagnostics: {
        bm25_ms: round(found.keywordMs),
        knn_ms: round(found.vectorMs),
        rrf_ms: round(found.rrfMs),
        fetch_ms: round(showStart - fetchStart),
        highlight_ms: round(end - showStart),
        bm25_hits: found.keywordScores.size,
        knn_hits: found.passages.size,
        knn_dropped: found.vectorDropped,
        rrf_mode: failures.vector !== undefined ? "bm25" : failures.keyword !== undefined ? "vector" : "rrf",
      },
    },
  };
  return { body, rrfMs: found.rrfMs, failures };
}

/** In mode `vector` the list may be paged through to its end; its order does not depend on how deep it goes. */
function vectorWindow({ mode, offset, limit }: SearchParams): number {
  if (mode === "bm25") return 0;
  return mode === "vector" && offset + limit > VECTOR_WINDOW ? SEARCH_DEPTH : VECTOR_WINDOW;
}

/** The score by which the list is ordered: the branch's own where there is one branch, the fused one else. */
function scoreOf(mode: SearchParams["mode"], fused: number, keyword?: number, vector?: number): number {
  if (mode === "bm25") return keyword ?? fused;
  return mode === "vector" ? (vector ?? fused) : fused;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
