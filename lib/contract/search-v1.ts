import { z } from "@hono/zod-openapi";
import { nameField, textField, timeParam, wholeParam } from "./fields.ts";

/** The ways to search. */
export const SEARCH_MODES = ["bm25", "vector", "hybrid"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** A search reaches no deeper than this many results. */
export const SEARCH_DEPTH = 1000;

/** The parameters of `GET /v1/search` of the API and `GET /search` of the retrieval service. Times become milliseconds. */
export const SearchParams = z
  .object({
    q: textField({ min: 1, max: 512 }),
    mode: z.enum(SEARCH_MODES).default("hybrid"),
    limit: wholeParam({ min: 1, max: 100, fallback: 10 }),
    offset: wholeParam({ min: 0, max: SEARCH_DEPTH, fallback: 0 }),
    lang: z.enum(["ar", "en"]).optional(),
    source: nameField({ max: 128 }).optional().openapi({ description: "source_id of the articles" }),
    category: nameField({ max: 128 }).optional(),
    domain: nameField({ max: 255 }).optional().openapi({ description: "a host; its subdomains match too" }),
    source_tier: wholeTier().optional(),
    from: timeParam().optional(),
    to: timeParam({ endOfDay: true }).optional(),
    k_rrf: wholeParam({ min: 1, max: 1000, fallback: 60 }),
  })
  .check((ctx) => {
    const { limit, offset, from, to } = ctx.value;
    if (offset + limit > SEARCH_DEPTH)
      ctx.issues.push(across(`offset + limit must be at most ${SEARCH_DEPTH}`, ctx.value));
    if (from !== undefined && to !== undefined && from > to)
      ctx.issues.push(across("from must not be after to", ctx.value));
  });
export type SearchParams = z.output<typeof SearchParams>;

/** One article of a `search.v1` body. Ranks are null where the branch did not find it; `highlights` is HTML with `<mark>`. */
export const SearchResult = z
  .object({
    article_id: z.int(),
    doc_id: z.string(),
    title: z.string(),
    snippet: z.string(),
    url: z.string(),
    source: z.string(),
    lang: z.string().nullable(),
    category: z.string().nullable(),
    published_at: z.string().nullable(),
    score: z.number(),
    bm25_rank: z.int().nullable(),
    knn_rank: z.int().nullable(),
    rrf_score: z.number(),
    highlights: z.record(z.string(), z.array(z.string())),
  })
  .openapi("SearchResult");
export type SearchResult = z.output<typeof SearchResult>;

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
      degraded: z.boolean().openapi({ description: "The vector branch could not answer; these are keyword results." }),
      diagnostics: z.record(z.string(), z.unknown()),
    }),
  })
  .openapi("SearchBody");
export type SearchBody = z.output<typeof SearchBody>;

function wholeTier() {
  return z
    .enum(["1", "2", "3"], { error: "must be 1, 2 or 3" })
    .transform(Number)
    .openapi({ type: "integer", minimum: 1, maximum: 3 });
}

/** A complaint about more than one field. */
function across(message: string, input: unknown) {
  return { code: "custom" as const, message, input, path: [] };
}
