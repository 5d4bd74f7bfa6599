import { z } from "@hono/zod-openapi";
import { flagParam, LIMITS, nameField, textField, wholeParam } from "./fields.ts";
import { brokenRange, ChunkFilters, filterParams } from "./filters.ts";

/** The ways to search. */
export const SEARCH_MODES = ["bm25", "vector", "hybrid"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** The ways to merge both branches of a hybrid search: by ranks, or by scores. */
const SEARCH_FUSIONS = ["rrf", "score"] as const;
export type SearchFusion = (typeof SEARCH_FUSIONS)[number];

/** Ways to take typing errors in a query. */
const TYPOS = ["auto", "off"] as const;

/** A search reaches no deeper than this many results. */
export const SEARCH_DEPTH = 1000;

/**
 * The parameters of `GET /v1/search` of the API and `GET /search` of the retrieval service. Times become milliseconds.
 */
export const SearchParams = z
  .object({
    q: textField({ min: 1, max: LIMITS.query }),
    mode: z.enum(SEARCH_MODES).default("hybrid"),
    limit: wholeParam({ min: 1, max: 100, fallback: 10 }),
    offset: wholeParam({ min: 0, max: SEARCH_DEPTH, fallback: 0 }),
    ...filterParams("query"),
    entity: nameField({ max: LIMITS.query }).optional().openapi({
      description:
        "The name of an entity in any spelling, or its number: only articles that name it, the last 50,000 that came.",
    }),
    typos: z.enum(TYPOS).default("auto").openapi({
      description:
        "auto: a word that looks like a typing error is read as the word that was meant, too; `meta.corrections` says so. What is written right comes first.",
    }),
    prefix: flagParam().openapi({ description: "The last word stands for all words that begin with it." }),
    k_rrf: wholeParam({ min: 1, max: 1000, fallback: 60 }),
    fusion: z.enum(SEARCH_FUSIONS).optional().openapi({
      description: "How hybrid mode merges both branches: by ranks, or by scores. As SEARCH_FUSION says where missing.",
    }),
    rerank: flagParam().openapi({
      description:
        "Puts the first 30 results into the order of the reranker. Of articles that it has not read yet it judges ten; the others keep their places.",
    }),
  })
  .check((ctx) => {
    const { limit, offset } = ctx.value;
    if (offset + limit > SEARCH_DEPTH)
      ctx.issues.push(across(`offset + limit must be at most ${SEARCH_DEPTH}`, ctx.value));
    const broken = brokenRange(ctx.value);
    if (broken !== undefined) ctx.issues.push(across(broken, ctx.value));
  });
export type SearchParams = z.output<typeof SearchParams>;

/**
 * One article of a `search.v1` body. Ranks are null where the branch did not find it; `highlights` is HTML with
 * `<mark>`.
 */
export const SearchResult = z
  .object({
    article_id: z.int(),
    doc_id: z.string(),
    title: z.string().openapi({ description: "Plain text: escape it before it goes into a page." }),
    snippet: z.string().openapi({
      description: "HTML, safe to show: the text escaped, `<mark>` around what matches.",
      example: "The <mark>harbour</mark> of Tyre &amp; its ships",
    }),
    url: z.string(),
    source: z.string(),
    lang: z.string().nullable(),
    category: z.string().nullable(),
    published_at: z.string().nullable(),
    score: z.number(),
    bm25_rank: z.int().nullable(),
    knn_rank: z.int().nullable(),
    rrf_score: z.number(),
    rerank_score: z.number().nullable().optional().openapi({
      description: "With rerank=true: the reranker's score, null for a result that it did not judge.",
    }),
    highlights: z.record(z.string(), z.array(z.string())).openapi({
      description: "HTML, safe to show, as `snippet`; by field: `title` has the title with its marks.",
      example: { title: ["The <mark>harbour</mark>"] },
    }),
  })
  .openapi("SearchResult");
export type SearchResult = z.output<typeof SearchResult>;

/** A word of a query that looks like a typing error, and what it was read as, likeliest first. */
const SearchCorrection = z
  .object({ word: z.string(), read_as: z.array(z.string()) })
  .openapi("SearchCorrection", { example: { word: "harbuor", read_as: ["harbour"] } });

/** The body of both search routes. */
export const SearchBody = z
  .object({
    schema: z.literal("search.v1"),
    query: z.string(),
    mode: z.enum(SEARCH_MODES),
    total: z.int(),
    results: z.array(SearchResult),
    meta: z.object({
      took_ms: z.number(),
      taxonomy_version: z.string().optional(),
      degraded: z.boolean().openapi({
        description: "A branch or the reranker could not answer; without the vector branch these are keyword results.",
      }),
      corrections: z.array(SearchCorrection),
      diagnostics: z.record(z.string(), z.unknown()),
    }),
  })
  .openapi("SearchBody");
export type SearchBody = z.output<typeof SearchBody>;

/**
 * The header in which the retrieval service says how a search went, so that the API can pass the body on unread:
 * `degraded` where a branch or the reranker could not answer, `keyword-only` where that was the vector branch.
 */
export const SEARCH_STATE = "X-Search-State";
export const SearchState = z.enum(["whole", "degraded", "keyword-only"]);
export type SearchState = z.output<typeof SearchState>;

/** Returns how a search went, as its body says. */
export function searchState({
  degraded,
  diagnostics,
}: Pick<SearchBody["meta"], "degraded" | "diagnostics">): SearchState {
  if (!degraded) return "whole";
  return diagnostics.rrf_mode === "bm25" ? "keyword-only" : "degraded";
}

/** A complaint about more than one field. */
function across(message: string, input: unknown) {
  return { code: "custom" as const, message, input, path: [] };
}

/** Passages that one question can ask for. */
export const MAX_PASSAGES = 100;

/** The body of `POST /passages` of the retrieval service. */
export const PassagesRequest = z
  .object({
    query: textField({ min: 1, max: 2000 }),
    k: z.int().min(1).max(MAX_PASSAGES).default(10),
    filters: ChunkFilters.nullish(),
    vectors_of: z
      .string()
      .max(200)
      .optional()
      .openapi({ description: "a reranker, by the id of its vectors: what it made of the chunks is given, too" }),
  })
  .openapi("PassagesRequest");

/** A chunk of an article, found by meaning. */
export const Passage = z
  .object({
    doc_id: z.string(),
    article_id: z.int(),
    chunk_no: z.int(),
    title: z.string(),
    text: z.string().openapi({ description: "the chunk, as plain text; the title where the article has no content" }),
    url: z.string(),
    lang: z.string().nullable(),
    source: z.string(),
    published_at: z.string().nullable(),
    score: z.number().openapi({ description: "cosine of the question and the chunk" }),
    vector: z
      .base64()
      .optional()
      .openapi({ description: "int8; where `vectors_of` names the reranker of this service and it has read it" }),
  })
  .openapi("Passage");
export type Passage = z.output<typeof Passage>;

/** The answer: nearest first. */
export const PassagesResponse = z
  .object({
    results: z.array(Passage),
    diagnostics: z.object({ embed_ms: z.number(), search_ms: z.number() }),
  })
  .openapi("PassagesResponse");
export type PassagesResponse = z.output<typeof PassagesResponse>;
