import { nameField, textField, timeParam } from "@isnad/lib/contract";
import { z } from "@isnad/lib/http";
import { TERM_FIELDS } from "@isnad/lib/search";
import { HIT_FIELDS } from "./hit.ts";

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
  .openapi({ type: "string", example: "title^3" });

const scalar = z.union([z.string().max(512), z.number()], { error: "must be a string or a number" });

const term = z
  .record(z.string(), z.union([scalar, z.strictObject({ value: scalar })], { error: "must be a value or {value}" }))
  .transform((entries, ctx) => {
    const [entry, ...more] = Object.entries(entries);
    const field = TERM_FIELDS.find((known) => known === entry?.[0]);
    if (entry === undefined || more.length > 0) {
      ctx.addIssue({ code: "custom", message: "must name one field" });
    } else if (field === undefined) {
      ctx.addIssue({ code: "custom", message: `must name one of ${TERM_FIELDS.join(", ")}`, path: [entry[0]] });
    }
    const value = entry?.[1] ?? "";
    return { field: field ?? "source_id", value: typeof value === "object" ? value.value : value };
  })
  .openapi({ type: "object", example: { source_id: "demo" } });

const filters = z.strictObject({
  search_fields: z.array(searchField).min(1).max(8).optional(),
  index: z.string().optional(),
  vector_field: z.string().optional(),
  term: term.optional(),
  lang: z.enum(["ar", "en"]).optional(),
  source: nameField({ max: 128 }).optional(),
  category: nameField({ max: 128 }).optional(),
  domain: nameField({ max: 255 }).optional(),
  source_tier: z.int().min(1).max(3).optional(),
  from: timeParam().optional(),
  to: timeParam({ endOfDay: true }).optional(),
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
      description: "puts the first 30 fused hits into the order of the reranker; what lies deeper keeps its order",
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
  .refine(({ filters }) => !(Number(filters?.from) > Number(filters?.to)), {
    error: "filters.from must not be after filters.to",
  })
  .openapi("RetrieveRequest");
export type RetrieveRequest = z.output<typeof RetrieveRequest>;
