import { z } from "@isnad/lib/service/http";

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
