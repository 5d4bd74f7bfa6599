import {
  DEFAULT_RESULTS,
  SEARCH_STATE,
  SEARCH_TYPES,
  SearchBody,
  SearchParams,
  type SearchResult,
  type SearchState,
  searchState,
  searchStateHeader,
} from "@isnad/lib/contract";
import type { BranchResult, Hybrid } from "@isnad/lib/search";
import {
  acceptedOffer,
  createRoute,
  entityTagOf,
  type HttpEnv,
  invalidFields,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  textStream,
  z,
} from "@isnad/lib/service/http";
import { createSlicer } from "@isnad/lib/std";
import { articleIdOfKey, articleKey } from "@isnad/lib/store";
import { codePointSlice, highlight, plainSnippet, type QueryTerms, queryTerms, ScannedText } from "@isnad/lib/text";
import type { RetrievalMetrics } from "../deps.ts";
import { failuresOf } from "../evidence.ts";
import { findHits } from "../search/hits.ts";
import { readSearch } from "../search/read.ts";
import { resultOf, scored, search, type SearchDeps } from "../search/search.ts";
import { badCursor, decodeCursor, decodeHits } from "../search/walk.ts";

/** Matches what a spreadsheet may take for the beginning of a formula, also behind blanks. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const SPECIAL = /["\r\n,;\t]/;

/** Marks the encoding for spreadsheets. */
const BOM = "\ufeff";

/**
 * Returns a line of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe, which
 * it shows as text; numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(text) || text !== cell ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The forms that are written row by row. */
const STREAMED_FORMATS = ["jsonl", "csv"] as const;
type StreamedFormat = (typeof STREAMED_FORMATS)[number];

/** Articles read at a time: so many texts are in memory. */
const BATCH = 100;
/** Characters of a snippet that no word of the query leads to. */
const LEAD = 240;

const FIELDS = [
  ...(["articleId", "docId", "title", "url", "sourceId", "lang", "categoryId"] as const),
  ...(["publishedAt", "authors", "content"] as const),
] as const;

const COLUMNS = [
  ...["article_id", "doc_id", "title", "url", "source", "lang", "category"],
  ...["authors", "published_at", "score", "snippet"],
];

/** A hit with what rows show beside it. */
type Row = { result: SearchResult; authors: readonly string[] };

/** The rows of an export, and what could not answer: how it went is said before the first row. */
type Export = { lines: AsyncGenerator<string, void>; state: SearchState; failures: Record<string, string> };

/**
 * Finds all hits of a search, or those that its limit and cursor leave, and gives them row by row, as they are asked
 * for: only their keys are in memory. Rejects as `search` does.
 */
async function exportSearch(
  deps: SearchDeps,
  params: SearchParams,
  format: StreamedFormat,
  signal?: AbortSignal,
): Promise<Export> {
  const { text, list, found = {} } = await listOf(deps, params, signal);
  const failures = failuresOf(found, undefined, deps.followers);
  const lines = linesOf(rows(deps, list, { terms: queryTerms(text), hasWords: text !== "", signal }), format);
  const degraded = Object.keys(failures).length > 0;
  const rrf_mode = failures.vector === undefined ? undefined : "bm25";
  return { lines, state: searchState({ degraded, diagnostics: { rrf_mode } }), failures };
}

async function listOf(
  deps: SearchDeps,
  params: SearchParams,
  signal: AbortSignal | undefined,
): Promise<{ text: string; list: readonly Hybrid[]; found?: BranchResult }> {
  const { offset, mode, fusion = deps.config.search.fusion, k_rrf } = params;
  const limit = params.limit ?? Number.MAX_SAFE_INTEGER;
  const cursor = params.cursor === undefined ? undefined : decodeCursor(params.cursor, params);
  const read = await readSearch(deps.store, params);
  if (cursor !== undefined && "walk" in cursor) {
    const walk = { walkId: cursor.walk, query: cursor.q, from: cursor.from, limit: Math.min(limit, MAX_WALK) };
    const part = await deps.store.walks.read(walk);
    if (part === undefined) throw badCursor("is of a search that is over: begin again without it");
    return { text: read.text, list: decodeHits(part.hits, k_rrf) };
  }
  const hits = await findHits(deps, { ...params, limit: DEFAULT_RESULTS }, read, { signal, fusion, isWhole: true });
  const all = async () => scored(await hits.all(), mode, hits.evidence);
  const list = cursor === undefined ? await all() : (await deps.firstPages.left(cursor, all, deps.store)).hits;
  return { text: read.text, list: list.slice(offset, offset + limit), found: hits.found };
}

/** Hits of a walk that are read at once: 20 bytes each. */
const MAX_WALK = 50_000_000;

async function* rows(
  { store }: Pick<SearchDeps, "store">,
  hits: readonly Hybrid[],
  {
    terms,
    hasWords,
    signal,
  }: {
    terms: QueryTerms;
    hasWords: boolean;
    signal: AbortSignal | undefined;
  },
): AsyncGenerator<Row> {
  const due = createSlicer();
  for (let at = 0; at < hits.length; at += BATCH) {
    signal?.throwIfAborted();
    const batch = hits.slice(at, at + BATCH);
    const articles = await store.articles.byIds(
      batch.map(({ articleId }) => articleIdOfKey(articleId)),
      FIELDS,
    );
    const byKey = new Map(articles.map((article) => [articleKey(article.articleId, article.docId), article]));
    for (const hit of batch) {
      const article = byKey.get(hit.articleId);
      if (article === undefined) continue;
      await due();
      const title = hasWords ? highlight(article.title, terms, { maxFragments: 1, fragmentLength: 512 }) : undefined;
      const content = highlight(
        hasWords ? new ScannedText(article.content) : codePointSlice(article.content, 0, LEAD),
        terms,
      );
      const highlights: Record<string, string[]> = {
        ...(title !== undefined && title.fragments.length > 0 && { title: title.fragments }),
        ...(content.fragments.length > 0 && { content: content.fragments }),
      };
      const shown = { snippet: content.snippet, highlights };
      yield { result: resultOf({ ...hit, document: article }, shown, hit.score), authors: article.authors };
    }
  }
}

async function* linesOf(rows: AsyncGenerator<Row>, format: StreamedFormat): AsyncGenerator<string, void> {
  if (format === "csv") yield BOM + csvLine(COLUMNS);
  for await (const { result, authors } of rows) {
    if (format === "jsonl") {
      yield `${JSON.stringify({ ...result, authors })}\n`;
      continue;
    }
    yield csvLine([
      ...[result.article_id, result.doc_id, result.title, result.url, result.source, result.lang, result.category],
      ...[authors.join("; "), result.published_at, result.score, plainSnippet(result.snippet)],
    ]);
  }
}

/** GET /search: the search that `GET /v1/search` of the API serves. */
export function addSearch(
  app: OpenAPIHono<HttpEnv>,
  deps: SearchDeps & { measured: RetrievalMetrics; limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const params = c.req.valid("query");
    const { signal } = c.req.raw;
    const format = params.format ?? acceptedOffer(c.req.header("Accept"), STREAMED_TYPES) ?? "json";
    if (format === "atom" || format === "jsonfeed") throw invalidFields({ format: ["feeds are written by the API"] });
    if (format !== "json") {
      if (params.facets !== undefined) throw invalidFields({ facets: [`are not part of format ${format}`] });
      if (params.histogram !== undefined) throw invalidFields({ histogram: [`is not part of format ${format}`] });
      const ask = () => exportSearch(deps, params, format, signal);
      const { lines, state, failures } = await deps.limiter.run(ask, { signal, client: c.var.client });
      note(c, { mode: params.mode, format, degraded: state !== "whole", ...failures });
      return c.body(textStream(lines), 200, {
        [SEARCH_STATE]: state,
        "Content-Type": `${STREAMED_TYPES.find(({ value }) => value === format)?.types[0]}; charset=utf-8`,
      });
    }
    const { body, rrfMs, failures } = await deps.limiter.run(() => search(deps, params, signal), {
      signal,
      client: c.var.client,
    });
    deps.measured.rrfMs.observe(rrfMs);
    note(c, { mode: params.mode, hits: body.total, degraded: body.meta.degraded, ...failures });
    const json = JSON.stringify(body);
    return c.body(json, 200, {
      [SEARCH_STATE]: searchState(body.meta),
      "Content-Type": "application/json",
      // The API passes the answer on as it is, compressed, and would have to take it apart.
      ETag: entityTagOf(json),
    });
  });
}

const STREAMED_TYPES = SEARCH_TYPES.filter(({ value }) => value !== "atom" && value !== "jsonfeed");

const route = createRoute({
  method: "get",
  path: "/search",
  operationId: "searchBranches",
  tags: ["retrieval"],
  summary: "Search by word, by meaning, or both",
  description:
    "`total` counts all hits, the same on every page; pages by number reach the first 1,000, a cursor all. Mode `hybrid` has the " +
    "hits of the keyword branch and the nearest neighbours as far as their similarity supports them. `score` is the score that orders the " +
    "list: BM25, cosine, or the fused one; with `rerank` the first 30 are in the order of `rerank_score`. `snippet` and `highlights` are " +
    "HTML: `<mark>` around what matches, the rest escaped.",
  request: { query: SearchParams },
  responses: {
    200: {
      description: "Results, best first.",
      headers: searchStateHeader,
      content: {
        "application/json": { schema: SearchBody },
        "application/x-ndjson": { schema: z.string().openapi({ description: "A result a line, with `authors`." }) },
        "text/csv": { schema: z.string() },
      },
    },
    ...problems("validation-error", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
