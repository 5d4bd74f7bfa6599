import { DEFAULT_RESULTS, type SearchBody, type SearchParams, type SearchResult } from "@isnad/lib/contract";
import type { Branches, Hybrid, Ranked } from "@isnad/lib/search";
import { mapInSlices } from "@isnad/lib/std";
import { type QueryTerms, queryTerms } from "@isnad/lib/text";
import { installed, type Judge, type RetrievalDeps } from "../deps.ts";
import { type Document, type Documents, withDocuments } from "../documents.ts";
import { type Evidence, failuresOf, VectorsUnavailable } from "../evidence.ts";
import { type RankedDocument, RERANKED, type Reranked, rerankPage, unranked } from "../rerank/rerank.ts";
import { earlyDocuments, marksFor, show, type Shown } from "./passages.ts";
import { countsOf } from "./counts.ts";
import { findHits, groupedByStory, type Hits, sortOf, storiesOfPage } from "./hits.ts";
import { readSearch, type ReadSearch } from "./read.ts";
import {
  badCursor,
  type Cursor,
  decodeCursor,
  decodeHits,
  encodeCursor,
  encodeHits,
  encodeKeys,
  type FirstPages,
  searchHash,
} from "./walk.ts";

/**
 * So many hits of a page at most are read and marked while the vector branch still searches: it seldom changes which
 * ones they are.
 */
const LIKELY = 20;

/** A search and what the log is to say of a part that failed. */
type SearchOutcome = { body: SearchBody; rrfMs: number; failures: Record<string, string> };

/** Holds what a search needs. */
export type SearchDeps = Pick<
  RetrievalDeps,
  "store" | "config" | "reranker" | "taxonomyVersion" | "followers" | "keyword"
> & {
  branches: Branches;
  documents: Documents;
  firstPages: FirstPages;
};

/** Parameters with as many results as they ask for. */
type Asked = SearchParams & { limit: number };

/**
 * Runs a search of the platform. Rejects when no branch that `mode` needs can answer; in mode `hybrid` one branch is
 * enough. Throws an AppError (503) for a rerank without a reranker, 422 for a cursor of another search.
 */
export async function search(deps: SearchDeps, given: SearchParams, signal?: AbortSignal): Promise<SearchOutcome> {
  const start = performance.now();
  const params = { ...given, limit: given.limit ?? DEFAULT_RESULTS };
  const cursor = params.cursor === undefined ? undefined : decodeCursor(params.cursor, params);
  const { mode, offset, limit, fusion = deps.config.search.fusion } = params;
  const judge = params.rerank ? installed(deps.reranker) : undefined;
  const read = await readSearch(deps.store, params);
  const finding = findHits(deps, params, read, {
    ...{ signal, fusion },
    onKeyword: ({ hits, alternatives }) => {
      terms = termsAsRead(terms, read.text, alternatives);
      const likely = hits.slice(offset, offset + Math.min(limit, LIKELY));
      if (judge === undefined && isFirst(params, read)) documents.begin(likely.map(({ articleId }) => articleId));
    },
  });
  // While the branches search.
  let terms = queryTerms(read.text);
  const marks = marksFor(() => terms);
  const documents = earlyDocuments(deps.documents, marks.of);
  const hits = params.group === "story" ? await groupedByStory(deps.store, await finding) : await finding;
  const { found, evidence } = hits;
  terms = termsAsRead(terms, read.text, found.alternatives);
  const fuseStart = performance.now();
  const markedMs = marks.ms();
  const common = { evidence, text: read.text, terms, judge, params, signal, ahead: marks.of };
  const { page, rerank, ...place } =
    cursor === undefined
      ? await firstPage({ ...deps, documents }, hits, common)
      : await nextPage({ ...deps, documents }, cursor, hits, common);
  const fetchMs = performance.now() - fuseStart - rerank.ms - (marks.ms() - markedMs);
  const stories = params.group === "story" ? await storiesOfPage(deps.store, page) : undefined;
  const results = await mapInSlices(page, (hit) => {
    const nearest = evidence.passages.get(hit.articleId);
    const shown = show(hit.document, terms, nearest, marks.of(hit.document));
    const result = {
      ...resultOf(hit, shown, shownScore(hit, mode, evidence)),
      ...(judge !== undefined && { rerank_score: hit.rerankScore }),
    };
    return stories === undefined ? result : { ...result, story: stories.get(result.article_id) ?? null };
  });
  const { lacking, ...counts } = await countsOf(deps.store, params, hits);
  const end = performance.now();
  const failures = failuresOf(found, rerank.error, deps.followers);
  const body: SearchBody = {
    schema: "search.v1",
    query: params.q ?? "",
    mode,
    total: place.total,
    results,
    ...counts,
    meta: {
      query: read.normal,
      next_cursor: place.next === undefined ? null : encodeCursor(place.next),
      ...(lacking.length > 0 && { lacking }),
      took_ms: round(end - start),
      taxonomy_version: deps.taxonomyVersion,
      degraded: Object.keys(failures).length > 0,
      corrections: found.corrections.map(({ word, readAs }) => ({ word, read_as: [...readAs] })),
      diagnostics: {
        bm25_ms: round(found.keywordMs),
        knn_ms: round(found.vectorMs),
        rrf_ms: round(hits.rrfMs),
        survey_ms: round(hits.surveyMs),
        rerank_ms: round(rerank.ms),
        fetch_ms: round(fetchMs),
        highlight_ms: round(marks.ms()),
        bm25_hits: found.keyword.length,
        knn_hits: hits.cut,
        knn_dropped: found.vector.length - hits.cut,
        rrf_mode: failures.vector !== undefined ? "bm25" : failures.keyword !== undefined ? "vector" : fusion,
      },
    },
  };
  return { body, rrfMs: hits.rrfMs, failures };
}

/** Returns what is marked: the words of a query, and those that they were read as. */
function termsAsRead(terms: QueryTerms, text: string, alternatives: readonly string[] = []): QueryTerms {
  return alternatives.length === 0 ? terms : queryTerms([text, ...alternatives].join(" "));
}

/** Tells whether the hits of the keyword branch are likely the ones that are shown. */
function isFirst(params: SearchParams, read: ReadSearch): boolean {
  return params.cursor === undefined && sortOf(params, read) === "relevance";
}

type PageDeps = Pick<SearchDeps, "documents" | "store" | "firstPages">;

/** A page of hits with their articles, how many hits there are, and where the next page begins. */
type Page = {
  page: RankedDocument<Hybrid>[];
  rerank: Pick<Reranked<Hybrid>, "ms" | "error">;
  total: number;
  next: Cursor | undefined;
};

async function firstPage(deps: PageDeps, hits: Hits, common: PageOptions): Promise<Page> {
  const { params, evidence } = common;
  const { page, rerank } = await pageOf(deps, { ...common, hits: hits.ranked });
  const { total } = hits;
  const q = searchHash(params);
  if (params.offset + params.limit >= total || page.length === 0) return { page, rerank, total, next: undefined };
  if (params.offset === 0) {
    const seen = encodeKeys(page.map(({ articleId }) => articleId));
    const last = hits.survey?.last;
    const isWhole = hits.found.keywordError === undefined && hits.found.vectorError === undefined;
    const next = {
      ...{ v: 1 as const, q, at: Date.now(), seen },
      ...(last !== undefined && { last }),
      ...(isWhole && { whole: true as const }),
    };
    if (!hits.isDeep)
      deps.firstPages.hold(encodeCursor(next), async () => scored(await hits.all(), params.mode, evidence));
    return { page, rerank, total, next };
  }
  // Those before the page are too many for a cursor.
  const all = scored(await hits.all(), params.mode, evidence);
  const shown = new Set(page.map(({ articleId }) => articleId));
  const left =
    common.judge === undefined
      ? all.slice(all.findLastIndex(({ articleId }) => shown.has(articleId)) + 1)
      : all.filter(({ articleId }) => !shown.has(articleId)).slice(params.offset);
  const walk = await deps.store.walks.begin({ query: q, total, hits: encodeHits(left) });
  return { page, rerank, total, next: { v: 1, q, walk, from: 0 } };
}

async function nextPage(
  { documents, store, firstPages }: PageDeps,
  cursor: Cursor,
  hits: Hits,
  { params, evidence, ahead }: PageOptions,
): Promise<Page> {
  const { limit, k_rrf, mode } = params;
  let walk = cursor;
  if (!("walk" in walk)) {
    const { whole } = walk;
    const now = async () => {
      const { keywordError, vectorError } = hits.found;
      // What a part found that does not answer now, after a restart for instance, would be lost.
      if (whole && keywordError !== undefined) throw keywordError;
      if (whole && vectorError !== undefined) throw new VectorsUnavailable("not loaded again", { cause: vectorError });
      return scored(await hits.all(), mode, evidence);
    };
    const left = await firstPages.left(walk, now, store);
    const total = left.hits.length + left.shown;
    const id = await store.walks.begin({ query: walk.q, total, hits: encodeHits(left.hits) });
    walk = { v: 1, q: walk.q, walk: id, from: 0 };
  }
  const page: RankedDocument<Hybrid>[] = [];
  for (let { from } = walk; ; ) {
    const part = await store.walks.read({ walkId: walk.walk, query: walk.q, from, limit: limit - page.length });
    if (part === undefined) throw badCursor("is of a search that is over: begin again without it");
    const listed = decodeHits(part.hits, k_rrf);
    const read = await withDocuments(documents, rankedOf(listed), { offset: 0, limit: listed.length, ahead });
    page.push(...unranked(read));
    from += listed.length;
    const next: Cursor | undefined = from >= part.count ? undefined : { ...walk, from };
    if (page.length >= limit || next === undefined) return { page, rerank: { ms: 0 }, total: part.total, next };
  }
}

/** Returns hits with the score that is shown. */
export function scored(hits: readonly Hybrid[], mode: SearchParams["mode"], evidence: Evidence): Hybrid[] {
  return hits.map((hit) => ({ ...hit, score: shownScore(hit, mode, evidence) }));
}

function rankedOf(hits: readonly Hybrid[]): Ranked<Hybrid> {
  return { length: hits.length, slice: (from, to) => hits.slice(from, to) };
}

type PageOptions = {
  evidence: Evidence;
  /** The query without what it excludes. */
  text: string;
  terms: QueryTerms;
  judge: Judge | undefined;
  params: Asked;
  signal: AbortSignal | undefined;
  ahead: (document: Document) => void;
};

/** The results of the page, with their articles; where there is a judge, the first of the list are in its order. */
async function pageOf(
  { documents, store }: Pick<SearchDeps, "documents" | "store">,
  { hits, evidence, text, terms, judge, params, signal, ahead }: PageOptions & { hits: Ranked<Hybrid> },
): Promise<{ page: RankedDocument<Hybrid>[]; rerank: Pick<Reranked<Hybrid>, "ms" | "error"> }> {
  const { offset, limit } = params;
  if (judge === undefined || offset >= RERANKED) {
    return { page: unranked(await withDocuments(documents, hits, { offset, limit, ahead })), rerank: { ms: 0 } };
  }
  const head = await withDocuments(documents, hits, { offset: 0, limit: Math.max(RERANKED, offset + limit) });
  const { page, ...rerank } = await rerankPage({ judge, store }, text, head, { evidence, terms, signal });
  return { page: page.slice(offset, offset + limit), rerank };
}

/** Lists the fields of an article that a hit shows. */
type ShownFields = Omit<Document, "key" | "scanned" | "content">;

/** Returns a hit as it is shown, with this score. */
export function resultOf(
  { document, ...hit }: Hybrid & { document: ShownFields },
  shown: Shown,
  score: number,
): SearchResult {
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
    score,
    bm25_rank: hit.keywordRank,
    knn_rank: hit.vectorRank,
    rrf_score: hit.rrfScore,
    highlights: shown.highlights,
  };
}

/** The score by which the list is ordered: the branch's own where there is one branch, the fused one else. */
function shownScore(hit: Hybrid, mode: SearchParams["mode"], evidence: Evidence): number {
  if (mode === "bm25") return evidence.keywordScore(hit.keywordRank) ?? hit.score;
  return mode === "vector" ? (evidence.passages.get(hit.articleId)?.score ?? hit.score) : hit.score;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
