import {
  brokenRange,
  type Filter,
  FILTER_NAMES,
  filterParams,
  FILTERS,
  isNumeric,
  textField,
} from "@isnad/lib/contract";
import type { TermField } from "@isnad/lib/search";
import { z } from "@isnad/lib/service/http";
import { asciiHost } from "@isnad/lib/text";

/** A hit of `POST /retrieve`. */
export const Hit = z.object({
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
export type Hit = z.output<typeof Hit>;

/** The keys of a hit, in their order. */
export const HIT_FIELDS = Object.keys(Hit.shape) as [keyof Hit, ...(keyof Hit)[]];

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
