import type { SearchResult } from "@isnad/lib/contract";
import type { Found } from "./render.ts";

/** A hit in which nothing but `part` matters. */
export function testHit(part: Partial<SearchResult>): SearchResult {
  return {
    article_id: 1,
    doc_id: "00000000-0000-0000-0000-000000000001",
    title: "",
    snippet: "",
    url: "",
    source: "",
    lang: null,
    category: null,
    published_at: null,
    score: 1,
    bm25_rank: null,
    knn_rank: null,
    rrf_score: 0,
    highlights: {},
    ...part,
  };
}

/** These hits as the answer to a search. */
export function foundHits(results: SearchResult[], tookMs = 1): Found {
  return { results, meta: { took_ms: tookMs } };
}
