import { z } from "@hono/zod-openapi";
import { flagParam, LIMITS, nameField, textField, wholeParam, wholeText } from "./fields.ts";
import { brokenRange } from "./filter-table.ts";
import { ChunkFilters, filterParams } from "./filters.ts";

/** The ways to search. */
export const SEARCH_MODES = ["bm25", "vector", "hybrid"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** The ways to merge both branches of a hybrid search: by ranks, or by scores. */
const SEARCH_FUSIONS = ["rrf", "score"] as const;
export type SearchFusion = (typeof SEARCH_FUSIONS)[number];

/** Ways to take typing errors in a query. */
const TYPOS = ["auto", "off"] as const;

/** A search reaches no deeper than this many results without a cursor. */
export const SEARCH_DEPTH = 1000;

/** Results of one page, and how many there are where a request does not say. */
const MAX_RESULTS = 100;
export const DEFAULT_RESULTS = 10;

/** Says which hits by word are enough, and in which order hits come. */
const SEARCH_MATCHES = ["any", "all"] as const;
const SEARCH_SORTS = ["relevance", "newest", "oldest"] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** Lists the forms in which hits are given. */
const SEARCH_FORMATS = ["json", "jsonl", "csv", "atom", "jsonfeed"] as const;
export type SearchFormat = (typeof SEARCH_FORMATS)[number];

/** Names the media types of each form, the first as it is answered with. */
export const SEARCH_TYPES: readonly { types: readonly string[]; value: SearchFormat }[] = [
  { types: ["application/json"], value: "json" },
  { types: ["application/x-ndjson", "application/jsonl", "application/ndjson"], value: "jsonl" },
  { types: ["text/csv"], value: "csv" },
  { types: ["application/atom+xml"], value: "atom" },
  { types: ["application/feed+json"], value: "jsonfeed" },
];

/** Lists what hits can be counted by. */
const SEARCH_FACETS = ["source", "category", "lang", "domain", "entity", "author", "story"] as const;
export type SearchFacet = (typeof SEARCH_FACETS)[number];

const HISTOGRAM_UNITS = ["hour", "day", "week", "month"] as const;

/** Characters of a cursor at most: those of a first page name its hits. */
const MAX_CURSOR = 4_096;
const MAX_ZONE_LENGTH = 64;
/** Facets in one parameter at most, as a bound on its length. */
const MAX_FACETS_LENGTH = 200;

/** The names of facets, parted by commas, each once. */
const facetNames = z
  .string()
  .max(MAX_FACETS_LENGTH)
  .transform((text, ctx) => {
    const names = new Set<SearchFacet>();
    for (const part of text.split(",")) {
      const name = SEARCH_FACETS.find((known) => known === part.trim());
      if (name !== undefined) names.add(name);
      else ctx.addIssue({ code: "custom", message: `must be some of ${SEARCH_FACETS.join(", ")}, parted by commas` });
    }
    return [...names];
  })
  .openapi({ type: "string", example: "source,lang", description: `Some of ${SEARCH_FACETS.join(", ")}: \`facets\`` });

/** Tells whether a time zone is known by this name. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const surveyParams = {
  facets: facetNames.optional(),
  facet_limit: wholeParam({ min: 1, max: 100, fallback: 20 }),
  histogram: z.enum(HISTOGRAM_UNITS).optional().openapi({
    description: "Counts the hits by time, those without a date by when they came; weeks begin on Monday.",
  }),
  tz: z
    .string()
    .max(MAX_ZONE_LENGTH)
    .refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), { error: "must be a time zone such as Asia/Beirut" })
    .default("UTC")
    .openapi({ description: "The zone of `histogram`, by its IANA name.", example: "Asia/Beirut" }),
};

const searchShape = {
  q: textField({ min: 1, max: LIMITS.query }).optional().openapi({
    description:
      'Words, `"phrases"`, `-excluded`, `OR`, brackets, and `title:`, `author:`, `source:`, `category:`, `lang:`, `domain:`, `entity:`; what does not parse is words. `meta.query` shows how it was read. Without it: all that the filters leave, newest first.',
    example: '(harbour OR port) "general strike" -cargo source:wire',
  }),
  mode: z.enum(SEARCH_MODES).default("hybrid"),
  match: z.enum(SEARCH_MATCHES).default("any").openapi({
    description:
      "Whether hits of the keyword branch hold any of the words, or all of them, stop words aside. Phrases, fields and `-word` always restrict.",
  }),
  sort: z.enum(SEARCH_SORTS).optional().openapi({
    description:
      "relevance where there is a `q`, else newest. In the order of time an article without a date counts from when it came; equal ones by their numbers.",
  }),
  limit: wholeText({ min: 1, max: MAX_RESULTS }).optional().openapi({
    description: "10 where missing; 50 in feeds; all in jsonl and csv.",
  }),
  offset: wholeParam({ min: 0, max: SEARCH_DEPTH, fallback: 0 }),
  ...filterParams("query"),
  entity: nameField({ max: LIMITS.query }).optional().openapi({
    description:
      "The name of an entity in any spelling, or its number: only articles that name it, the last 50,000 that came.",
  }),
  story: wholeText({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional().openapi({
    description: "The number of a story: only its articles, the newest 50,000.",
  }),
  ...surveyParams,
  cursor: z.string().min(1).max(MAX_CURSOR).optional().openapi({
    description:
      "`meta.next_cursor` of the page before, with all other parameters as they were but `limit`, `format`, `facets` and `histogram`: goes through all that matched at the first page, however deep, whatever changes meanwhile. A day after its last use it is gone.",
  }),
  format: z.enum(SEARCH_FORMATS).optional().openapi({
    description:
      "json where neither this nor `Accept` says something else. jsonl and csv stream all hits, as far as no `limit` is given.",
  }),
  group: z.enum(["story"]).optional().openapi({
    description:
      "story: one hit a story, its best, with `story`. `total` then counts stories; facets and histogram still count articles.",
  }),
  typos: z.enum(TYPOS).default("auto").openapi({
    description:
      "auto: a word that looks like a typing error is read as the word that was meant, too; `meta.corrections` says so. What is written right comes first.",
  }),
  prefix: flagParam().openapi({
    description:
      "The last word stands for all words that begin with it. By meaning, an article without any of them is taken as less near.",
  }),
  k_rrf: wholeParam({ min: 1, max: 1000, fallback: 60 }),
  fusion: z.enum(SEARCH_FUSIONS).optional().openapi({
    description: "How hybrid mode merges both branches: by ranks, or by scores. As SEARCH_FUSION says where missing.",
  }),
  rerank: flagParam().openapi({
    description:
      "Puts the first 30 results into the order of the reranker. Of articles that it has not read yet it judges ten; the others keep their places.",
  }),
};

/**
 * The parameters of `GET /v1/search` of the API and `GET /search` of the retrieval service. Times become milliseconds.
 */
export const SearchParams = z.object(searchShape).check((ctx) => {
  for (const { field, rule } of brokenRules(ctx.value)) {
    ctx.issues.push({ code: "custom", message: rule, input: ctx.value, path: field === undefined ? [] : [field] });
  }
});
export type SearchParams = z.output<typeof SearchParams>;

/** The story of a hit. */
const SearchStory = z
  .object({
    story_id: z.int(),
    size: z.int().openapi({ description: "Its articles, whether they match or not." }),
    sources: z.array(
      z.object({
        source_id: z.string(),
        source_name: z.string(),
        count: z.int(),
        first_at: z.string().openapi({ format: "date-time" }),
      }),
    ),
  })
  .openapi("SearchStory");

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
    story: SearchStory.nullable().optional().openapi({
      description: "With group=story; null for an article that is not yet put into one.",
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
    facets: z
      .partialRecord(
        z.enum(SEARCH_FACETS),
        z.array(z.object({ value: z.string(), label: z.string().optional(), count: z.int() })),
      )
      .optional()
      .openapi({ description: "By the names asked for: the values that most hits have; `label` where one is known." }),
    histogram: z
      .array(z.object({ from: z.iso.datetime({ offset: true }), count: z.int() }))
      .optional()
      .openapi({ description: "The stretches of time that hold any, ascending, each by its beginning in the zone." }),
    meta: z.object({
      query: z.string().optional().openapi({ description: "The query as it was read, in the same language." }),
      next_cursor: z.string().nullable().optional().openapi({
        description: "Where the next page begins; null after the last one.",
      }),
      lacking: z
        .array(z.string())
        .optional()
        .openapi({ description: "What was asked for and the engine cannot say; all else is whole." }),
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
 * The header that says how a search went, so that the API can pass a body on unread, and exports and feeds can tell:
 * `degraded` where a branch or the reranker could not answer, `keyword-only` where that was the vector branch.
 */
export const SEARCH_STATE = "X-Search-State";
export const SearchState = z.enum(["whole", "degraded", "keyword-only"]);
export type SearchState = z.output<typeof SearchState>;

/** Documents that header. */
export const searchStateHeader = z.object({
  [SEARCH_STATE]: SearchState.openapi({
    description:
      "How the search went: `degraded` where a part could not answer or an index is being filled, `keyword-only` where that was the search by meaning.",
  }),
});

/** Returns how a search went, as its body says. */
export function searchState({
  degraded,
  diagnostics,
}: Pick<SearchBody["meta"], "degraded" | "diagnostics">): SearchState {
  if (!degraded) return "whole";
  return diagnostics.rrf_mode === "bm25" ? "keyword-only" : "degraded";
}

/** Returns the rules between parameters that are broken, each with the field that it is about, if it is one. */
function brokenRules(params: z.output<z.ZodObject<typeof searchShape>>): { field?: string; rule: string }[] {
  const { q, limit = DEFAULT_RESULTS, offset, cursor, sort, rerank, facets, histogram, format } = params;
  const broken: { field?: string; rule: string }[] = [];
  if (offset + limit > SEARCH_DEPTH)
    broken.push({ rule: `offset + limit must be at most ${SEARCH_DEPTH}; cursor goes deeper` });
  const range = brokenRange(params);
  if (range !== undefined) broken.push({ rule: range });
  if (cursor !== undefined && offset > 0) broken.push({ field: "offset", rule: "must not be given with cursor" });
  if (sort === "relevance" && q === undefined) broken.push({ field: "sort", rule: "relevance needs q" });
  if (rerank && (q === undefined || (sort !== undefined && sort !== "relevance")))
    broken.push({ field: "rerank", rule: "needs q, and no other order than relevance" });
  if (format !== undefined && format !== "json") {
    if (facets !== undefined) broken.push({ field: "facets", rule: `are not part of format ${format}` });
    if (histogram !== undefined) broken.push({ field: "histogram", rule: `is not part of format ${format}` });
  }
  return broken;
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

/** The parameters of `GET /v1/articles`: the filters of searches, and how the list is shown. */
export const ArticleListParams = z
  .object({
    limit: searchShape.limit,
    ...filterParams("query"),
    entity: searchShape.entity,
    cursor: searchShape.cursor,
    format: searchShape.format,
  })
  .check((ctx) => {
    const broken = brokenRange(ctx.value);
    if (broken !== undefined) ctx.issues.push({ code: "custom", message: broken, input: ctx.value, path: [] });
  });
export type ArticleListParams = z.output<typeof ArticleListParams>;

/** An article of a list. */
const ListedArticle = SearchResult.pick({
  ...{
    article_id: true,
    doc_id: true,
    title: true,
    snippet: true,
    url: true,
    source: true,
    lang: true,
    category: true,
  },
  published_at: true,
}).openapi("ListedArticle");

/** The body of `GET /v1/articles`. */
export const ArticleList = z
  .object({ articles: z.array(ListedArticle), total: z.int(), next_cursor: z.string().nullable() })
  .openapi("ArticleList");

/** The parameters of `GET /v1/articles/{article_id}/similar`. */
export const SimilarParams = z
  .object({ limit: wholeParam({ min: 1, max: 50, fallback: 10 }), ...filterParams("query") })
  .check((ctx) => {
    const broken = brokenRange(ctx.value);
    if (broken !== undefined) ctx.issues.push({ code: "custom", message: broken, input: ctx.value, path: [] });
  });
export type SimilarParams = z.output<typeof SimilarParams>;

/** The body of `GET /v1/articles/{article_id}/similar`, the most alike first. */
export const SimilarArticles = z
  .object({
    article_id: z.int(),
    results: z.array(ListedArticle.extend({ score: z.number() })),
  })
  .openapi("SimilarArticles");
