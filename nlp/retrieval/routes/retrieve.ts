import {
  brokenRange,
  type Filter,
  FILTER_NAMES,
  filterParams,
  FILTERS,
  filtersOf,
  isNumeric,
  textField,
} from "@isnad/lib/contract";
import {
  type Branches,
  type KeywordQuery,
  reciprocalRankFusion,
  searchBranches,
  type TermField,
} from "@isnad/lib/search";
import {
  AppError,
  BODY_PROBLEMS,
  createRoute,
  type HttpEnv,
  invalidFields,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { mapInSlices } from "@isnad/lib/std";
import { asciiHost, parseQuery, queryTerms } from "@isnad/lib/text";
import { installed, type RerankStore, type RetrievalDeps, type RetrievalMetrics } from "../deps.ts";
import { articleKeys, type Documents, type KeyStore, keysWithin, withDocuments } from "../documents.ts";
import { evidenceOf, failuresOf, VectorsUnavailable } from "../evidence.ts";
import { passageOf, passagesOf, RERANKED, rerankPage, unranked } from "../rerank/rerank.ts";
import { show } from "../search/passages.ts";

/** A hit of `POST /retrieve`. */
const Hit = z.object({
  doc_id: z.string(),
  article_id: z.int(),
  title: z.string(),
  passage: z.string().openapi({ description: "the passage of the article that answers best, as plain text" }),
  passages: z.array(z.object({ text: z.string(), offsets: z.object({ start: z.int(), end: z.int() }) })).openapi({
    description:
      "only where `fields` names it: the beginning of the article and the passages that say most, in their order; offsets are code points of the content",
  }),
  url: z.string(),
  published_at: z.string().nullable(),
  source: z.string(),
  bm25_rank: z.int().nullable(),
  knn_rank: z.int().nullable(),
  rrf_score: z.number(),
  rerank_score: z
    .number()
    .nullable()
    .openapi({ description: "the reranker's score; null for a hit that was not reranked" }),
  final_rank: z.int(),
  highlights: z
    .record(z.string(), z.array(z.string()))
    .openapi({ description: "HTML by field: <mark> around what matches, the rest escaped" }),
});
type Hit = z.output<typeof Hit>;

/** The keys of a hit, in their order. */
const HIT_FIELDS = Object.keys(Hit.shape) as [keyof Hit, ...(keyof Hit)[]];

/** The keys of a hit where none are named. */
export const USUAL_FIELDS = HIT_FIELDS.filter((field) => field !== "passages");

/** The body of `POST /retrieve`. A hit has the keys that the request asked for. */
export const RetrieveResponse = z
  .object({
    query: z.string(),
    params: z.object({ k_bm25: z.int(), k_knn: z.int(), k_rrf: z.int(), rerank: z.boolean() }),
    results: z.array(Hit.partial().openapi("RetrievalHit")),
    diagnostics: z.object({ bm25_ms: z.number(), knn_ms: z.number(), rrf_ms: z.number(), rerank_ms: z.number() }),
    degraded: z.boolean().openapi({ description: "a branch that was asked for, or the reranker, could not answer" }),
  })
  .openapi("RetrieveResponse");
export type RetrieveResponse = z.output<typeof RetrieveResponse>;

/** Hits that a branch can give. */
const MAX_K = 1000;

const SEARCH_FIELD = /^(title|content)(?:\^(\d{1,3}(?:\.\d{1,3})?))?$/;

const searchField = z
  .string()
  .regex(SEARCH_FIELD, { error: "must be title or content, with an optional boost such as title^3" })
  .transform((value) => {
    const [, name, boost = "1"] = SEARCH_FIELD.exec(value) ?? [];
    return { name: name === "title" ? ("title" as const) : ("content" as const), boost: Number(boost) };
  })
  .openapi({ type: "string", pattern: SEARCH_FIELD.source, example: "title^3" });

const scalar = z.union([z.string().max(512), z.number()], { error: "must be a string or a number" });

/** Holds what `filters.term` can name, with what the keyword index calls it. */
const TERMS: ReadonlyMap<string, TermField> = new Map<string, TermField>([
  ["article_id", "article_id"],
  ...FILTER_NAMES.flatMap((name): [string, TermField][] => {
    const { kind, term }: Filter = FILTERS[name];
    return kind === "equals" || kind === "within" ? [[term ?? name, name]] : [];
  }),
  ["title", "title"],
  ["content", "content"],
]);

const term = z
  .record(z.string(), z.union([scalar, z.strictObject({ value: scalar })], { error: "must be a value or {value}" }))
  .transform((entries, ctx) => {
    const [entry, ...more] = Object.entries(entries);
    const field = TERMS.get(entry?.[0] ?? "");
    if (entry === undefined || more.length > 0) {
      ctx.addIssue({ code: "custom", message: "must name one field" });
    } else if (field === undefined) {
      ctx.addIssue({ code: "custom", message: `must name one of ${[...TERMS.keys()].join(", ")}`, path: [entry[0]] });
    }
    const given = entry?.[1] ?? "";
    return { field: field ?? "article_id", value: comparable(field, typeof given === "object" ? given.value : given) };
  })
  .openapi({
    type: "object",
    description: "One field with a value, or with `{value}`.",
    minProperties: 1,
    maxProperties: 1,
    properties: Object.fromEntries([...TERMS.keys()].map((name) => [name, { type: ["string", "number", "object"] }])),
    additionalProperties: false,
    example: { source_id: "demo" },
  });

/** The value as the index has it: hosts are compared in one form, numbers and texts as what the field is. */
function comparable(field: TermField | undefined, value: string | number): string | number {
  const name = FILTER_NAMES.find((each) => each === field);
  if (name === undefined) return value;
  const { type }: Filter = FILTERS[name];
  if (type.is === "host") return asciiHost(String(value)) ?? value;
  return isNumeric(type) ? Number(value) : String(value);
}

const filters = z.strictObject({
  search_fields: z.array(searchField).min(1).max(8).optional(),
  index: z.string().optional().openapi({ description: "SEARCH_INDEX, which is meant where it is missing" }),
  vector_field: z.string().optional().openapi({ description: "VECTOR_FIELD, which is meant where it is missing" }),
  term: term.optional(),
  ...filterParams("body"),
  article_id: z.int().min(1).optional().openapi({ description: "only this article, in both branches" }),
  story_id: z.int().min(1).optional().openapi({ description: "only the articles of this story, in both branches" }),
});

const k = (fallback: number, min = 0) => z.int().min(min).max(MAX_K).default(fallback);

/** The body of `POST /retrieve`; times become milliseconds. */
export const RetrieveRequest = z
  .object({
    query: textField({ min: 1, max: 2000 }),
    lang: z.enum(["ar", "en"]).nullish().openapi({ description: "a hint to the analyser, not a filter" }),
    k_bm25: k(50).openapi({ description: "hits of the keyword branch; 0 skips it" }),
    k_knn: k(50).openapi({ description: "hits of the vector branch; 0 skips it" }),
    k_rrf: k(60, 1),
    rerank: z.boolean().default(false).openapi({
      description:
        "puts the first 30 fused hits into the order of the reranker; what lies deeper keeps its order, and so do those beyond ten that it has not read yet",
    }),
    fields: z.array(z.enum(HIT_FIELDS)).nullish().openapi({ description: "keys of a hit to return; all when missing" }),
    limit: z
      .int()
      .min(1)
      .max(2 * MAX_K)
      .optional()
      .openapi({ description: "all fused hits when missing" }),
    filters: filters.nullish(),
  })
  .refine(({ k_bm25, k_knn }) => k_bm25 + k_knn > 0, { error: "k_bm25 and k_knn must not both be 0" })
  .refine(({ filters }) => brokenRange(filters ?? {}) === undefined, {
    error: ({ input }) => `filters: ${brokenRange(Object(input).filters)}`,
  })
  .openapi("RetrieveRequest", {
    anyOf: [{ properties: { k_bm25: { minimum: 1 } } }, { properties: { k_knn: { minimum: 1 } } }],
  });
export type RetrieveRequest = z.output<typeof RetrieveRequest>;

/** POST /retrieve: evidence for a claim or a question, with full control over both branches. */
export function addRetrieve(
  app: OpenAPIHono<HttpEnv>,
  deps: Pick<RetrievalDeps, "config" | "reranker" | "store" | "followers"> & {
    branches: Branches;
    documents: Documents;
    measured: RetrievalMetrics;
    limiter: Limiter;
  },
): void {
  app.openapi(route, async (c) => {
    const { signal } = c.req.raw;
    const { body, failures } = await deps.limiter.run(() => retrieve(deps, c.req.valid("json"), signal), {
      signal,
      client: c.var.client,
    });
    deps.measured.rrfMs.observe(body.diagnostics.rrf_ms);
    note(c, { hits: body.results.length, degraded: body.degraded, ...failures });
    return c.json(body, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/retrieve",
  operationId: "retrieveEvidence",
  tags: ["retrieval"],
  summary: "Hybrid retrieval: BM25 and nearest neighbours, fused by reciprocal rank",
  description:
    "`filters.term` narrows the keyword branch alone; `lang`, `source`, `category`, `domain`, `source_tier`, `from`, `to`, `article_id` and `story_id` narrow both.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: RetrieveRequest } } } },
  responses: {
    200: {
      description: "All fused hits, or the first `limit` of them, best first.",
      content: { "application/json": { schema: RetrieveResponse } },
    },
    ...problems(...BODY_PROBLEMS, "not-found", "overloaded", "service-unavailable", "model-not-installed"),
  },
});

/** Holds what is asked of the store. */
export type RetrieveStore = RerankStore & KeyStore;

/** Titles weigh three times as much as content. */
const FIELDS = { title: 3, content: 1 };

/**
 * Hybrid retrieval of evidence: exactly the branches and depths that the request names, all they find fused by ranks,
 * and reranked where that is asked for. Throws {@link AppError}: 404 for an unknown index, 422 for an unknown vector
 * field, 503 for a rerank without a reranker.
 */
export async function retrieve(
  deps: Pick<RetrievalDeps, "config" | "reranker" | "followers"> & {
    branches: Branches;
    documents: Documents;
    store: RetrieveStore;
  },
  request: RetrieveRequest,
  signal?: AbortSignal,
): Promise<{ body: RetrieveResponse; failures: Record<string, string> }> {
  const { branches, documents, store, config, reranker } = deps;
  const { query, lang, k_bm25, k_knn, k_rrf, rerank, limit, fields } = request;
  const { search_fields, index, vector_field, term, ...params } = request.filters ?? {};
  if (index !== undefined && index !== config.search.index) {
    throw new AppError("not-found", `There is no index named ${index.slice(0, 64)}.`);
  }
  if (vector_field !== undefined && vector_field !== config.search.vectorField) {
    throw invalidFields({ "filters.vector_field": [`must be ${config.search.vectorField}`] });
  }
  const judge = rerank ? installed(reranker) : undefined;
  const found = await searchBranches(
    branches,
    {
      text: query,
      lang: lang ?? undefined,
      fields: search_fields === undefined ? FIELDS : weights(search_fields),
      filters: { ...filtersOf(params), articleIds: await keysWithin(store, params) },
      term: await byKey(store, term),
      kKeyword: k_bm25,
      kVector: k_knn,
    },
    { signal },
  ).catch((error: unknown) => {
    if (k_bm25 === 0) throw new VectorsUnavailable("the vector branch failed", { cause: error });
    throw error;
  });

  const rrfStart = performance.now();
  const fused = reciprocalRankFusion(
    found.keyword.map(({ articleId }) => articleId),
    found.vector.map(({ articleId }) => articleId),
    k_rrf,
  );
  const rrfMs = performance.now() - rrfStart;
  const evidence = evidenceOf(found);
  const keys = new Set<keyof Hit>(fields ?? USUAL_FIELDS);
  const count = limit ?? fused.length;
  const first = await withDocuments(documents, fused, {
    offset: 0,
    limit: judge === undefined ? count : Math.max(count, RERANKED),
  });
  const { text } = parseQuery(query);
  const terms = queryTerms(text);
  const ranked =
    judge === undefined
      ? { page: unranked(first), ms: 0, error: undefined }
      : await rerankPage({ judge, store }, text, first, { evidence, terms, signal });
  const results = await mapInSlices(ranked.page.slice(0, count), ({ document, ...hit }): Partial<Hit> => {
    const nearest = evidence.passages.get(hit.articleId);
    const values: Record<keyof Hit, () => unknown> = {
      doc_id: () => document.docId,
      article_id: () => document.articleId,
      title: () => document.title,
      passage: () => passageOf(document, terms, nearest),
      passages: () => passagesOf(document, terms, nearest),
      url: () => document.url,
      published_at: () => document.publishedAt,
      source: () => document.sourceId,
      bm25_rank: () => hit.keywordRank,
      knn_rank: () => hit.vectorRank,
      rrf_score: () => hit.score,
      rerank_score: () => hit.rerankScore,
      final_rank: () => hit.finalRank,
      highlights: () => show(document, terms, nearest).highlights,
    };
    return Object.fromEntries(HIT_FIELDS.filter((field) => keys.has(field)).map((field) => [field, values[field]()]));
  });
  const failures = failuresOf(found, ranked.error, deps.followers);
  const body: RetrieveResponse = {
    query,
    params: { k_bm25, k_knn, k_rrf, rerank },
    results,
    diagnostics: { bm25_ms: found.keywordMs, knn_ms: found.vectorMs, rrf_ms: rrfMs, rerank_ms: ranked.ms },
    degraded: Object.keys(failures).length > 0,
  };
  return { body, failures };
}

/** A term with the article's key in place of its number. */
async function byKey(store: RetrieveStore, term: KeywordQuery["term"]): Promise<KeywordQuery["term"]> {
  if (term?.field !== "article_id") return term;
  const id = Number(term.value);
  return { ...term, value: (await articleKeys(store, [id])).get(id) ?? 0 };
}

/** A field named twice counts with the sum of its boosts. */
function weights(fields: readonly { name: "title" | "content"; boost: number }[]): {
  title?: number;
  content?: number;
} {
  const sum: { title?: number; content?: number } = {};
  for (const { name, boost } of fields) sum[name] = (sum[name] ?? 0) + boost;
  return sum;
}
