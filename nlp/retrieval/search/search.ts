import { filtersOf, SEARCH_DEPTH, type SearchBody, type SearchParams, type SearchResult } from "@isnad/lib/contract";
import {
  type Branches,
  type BranchResult,
  type Hybrid,
  type Ranked,
  rankHybrid,
  searchBranches,
} from "@isnad/lib/search";
import { mapInSlices } from "@isnad/lib/std";
import { parseQuery, type QueryTerms, queryTerms } from "@isnad/lib/text";
import type { Judge, RetrievalDeps } from "../deps.ts";
import { type Document, type Documents, withDocuments } from "../documents.ts";
import { type Evidence, evidenceOf, failuresOf } from "../evidence.ts";
import { VectorsUnavailable } from "../failures.ts";
import { installed } from "../optional-model.ts";
import { type RankedDocument, RERANKED, type Reranked, rerankPage, unranked } from "../rerank/rerank.ts";
import { earlyDocuments, marksFor } from "./ahead.ts";
import { articlesNaming } from "./articles-naming.ts";
import { type Shown, show } from "./passages.ts";

/** Results of the keyword branch, whatever page is asked for: so that pages fit together. */
const KEYWORD_WINDOW = SEARCH_DEPTH;

/** Results of the vector branch. Everything is somehow near: what lies deeper is noise, and dear to find. */
const VECTOR_WINDOW = 200;

/** Titles weigh three times as much as content. */
const FIELDS = { title: 3, content: 1 };

/**
 * So many hits of a page at most are read and marked while the vector branch still searches: it seldom changes which
 * ones they are.
 */
const LIKELY = 20;

/** A search and what the log is to say of a part that failed. */
export type SearchOutcome = { body: SearchBody; rrfMs: number; failures: Record<string, string> };

/** What a search needs. */
export type SearchDeps = Pick<RetrievalDeps, "store" | "config" | "reranker" | "taxonomyVersion" | "followers"> & {
  branches: Branches;
  documents: Documents;
};

/**
 * Runs a search of the platform. Rejects when no branch that `mode` needs can answer; in mode `hybrid` one branch is
 * enough. Throws an AppError (503) for a rerank without a reranker.
 */
export async function search(deps: SearchDeps, params: SearchParams, signal?: AbortSignal): Promise<SearchOutcome> {
  const start = performance.now();
  const { q, mode, lang, k_rrf, typos, prefix, fusion = deps.config.search.fusion } = params;
  const judge = params.rerank ? installed(deps.reranker) : undefined;
  const filters = { ...filtersOf(params), articleIds: await articlesNaming(deps.store, params.entity) };
  const { offset, limit } = params;
  const searching = searchBranches(
    deps.branches,
    {
      text: q,
      ...{ lang, typos, prefix },
      fields: FIELDS,
      filters,
      kKeyword: mode === "vector" ? 0 : KEYWORD_WINDOW,
      kVector: vectorWindow(params),
    },
    {
      signal,
      onKeyword: ({ hits }) => {
        const likely = hits.slice(offset, offset + Math.min(limit, LIKELY));
        if (judge === undefined) documents.begin(likely.map(({ articleId }) => articleId));
      },
    },
  );
  // While the branches search.
  const { text } = parseQuery(q);
  const terms = queryTerms(text);
  const marks = marksFor(terms);
  const documents = earlyDocuments(deps.documents, marks.of);
  const found = await searching.catch((error: unknown) => {
    if (mode === "vector") throw new VectorsUnavailable("the vector branch failed", { cause: error });
    throw error;
  });
  const fuseStart = performance.now();
  const { hits, cut } = rankHybrid(found, { k: k_rrf, fusion: mode === "hybrid" ? fusion : "rrf" });
  const rrfMs = performance.now() - fuseStart;
  const evidence = evidenceOf(found);
  const markedMs = marks.ms();
  const { page, rerank } = await pageOf(
    { documents, store: deps.store },
    { hits, evidence, text, terms, judge, params, signal, ahead: marks.of },
  );
  const fetchMs = performance.now() - fuseStart - rrfMs - rerank.ms - (marks.ms() - markedMs);
  const results = await mapInSlices(page, (hit) => {
    const nearest = evidence.passages.get(hit.articleId);
    const shown = show(hit.document, terms, nearest, marks.of(hit.document));
    return resultOf(hit, shown, { mode, evidence, reranked: judge !== undefined });
  });
  const end = performance.now();
  const failures = failuresOf(found, rerank.error, deps.followers);
  const body: SearchBody = {
    schema: "search.v1",
    query: q,
    mode,
    total: totalOf(mode, found, hits.length),
    results,
    meta: {
      took_ms: round(end - start),
      taxonomy_version: deps.taxonomyVersion,
      degraded: Object.keys(failures).length > 0,
      corrections: found.corrections.map(({ word, readAs }) => ({ word, read_as: [...readAs] })),
      diagnostics: {
        bm25_ms: round(found.keywordMs),
        knn_ms: round(found.vectorMs),
        rrf_ms: round(rrfMs),
        rerank_ms: round(rerank.ms),
        fetch_ms: round(fetchMs),
        highlight_ms: round(marks.ms()),
        bm25_hits: found.keyword.length,
        knn_hits: cut,
        knn_dropped: found.vector.length - cut,
        rrf_mode: failures.vector !== undefined ? "bm25" : failures.keyword !== undefined ? "vector" : fusion,
      },
    },
  };
  return { body, rrfMs, failures };
}

/** The results of the page, with their articles; where there is a judge, the first of the list are in its order. */
async function pageOf(
  { documents, store }: Pick<SearchDeps, "documents" | "store">,
  {
    hits,
    evidence,
    text,
    terms,
    judge,
    params,
    signal,
    ahead,
  }: {
    hits: Ranked<Hybrid>;
    evidence: Evidence;
    /** The query without what it excludes. */
    text: string;
    terms: QueryTerms;
    judge: Judge | undefined;
    params: SearchParams;
    signal: AbortSignal | undefined;
    ahead: (document: Document) => void;
  },
): Promise<{ page: RankedDocument<Hybrid>[]; rerank: Pick<Reranked<Hybrid>, "ms" | "error"> }> {
  const { offset, limit } = params;
  if (judge === undefined || offset >= RERANKED) {
    return { page: unranked(await withDocuments(documents, hits, { offset, limit, ahead })), rerank: { ms: 0 } };
  }
  const head = await withDocuments(documents, hits, { offset: 0, limit: Math.max(RERANKED, offset + limit) });
  const { page, ...rerank } = await rerankPage({ judge, store }, text, head, { evidence, terms, signal });
  return { page: page.slice(offset, offset + limit), rerank };
}

function resultOf(
  { document, ...hit }: RankedDocument<Hybrid>,
  shown: Shown,
  { mode, evidence, reranked }: { mode: SearchParams["mode"]; evidence: Evidence; reranked: boolean },
): SearchResult {
  const nearest = evidence.passages.get(hit.articleId);
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
    score: scoreOf(mode, hit.score, evidence.keywordScore(hit.keywordRank), nearest?.score),
    bm25_rank: hit.keywordRank,
    knn_rank: hit.vectorRank,
    rrf_score: hit.rrfScore,
    ...(reranked && { rerank_score: hit.rerankScore }),
    highlights: shown.highlights,
  };
}

/** In mode `vector` the list may be paged through to its end; its order does not depend on how deep it goes. */
function vectorWindow({ mode, offset, limit }: SearchParams): number {
  if (mode === "bm25") return 0;
  return mode === "vector" && offset + limit > VECTOR_WINDOW ? SEARCH_DEPTH : VECTOR_WINDOW;
}

/**
 * The results that can be paged through: one number for all pages. In mode `vector` every article that passes the
 * filters is one.
 */
function totalOf(mode: SearchParams["mode"], found: BranchResult, fused: number): number {
  return mode === "vector" ? Math.min(SEARCH_DEPTH, found.candidates) : fused;
}

/** The score by which the list is ordered: the branch's own where there is one branch, the fused one else. */
function scoreOf(mode: SearchParams["mode"], fused: number, keyword?: number, vector?: number): number {
  if (mode === "bm25") return keyword ?? fused;
  return mode === "vector" ? (vector ?? fused) : fused;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
