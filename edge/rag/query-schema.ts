import { ChunkFilters, MAX_PASSAGES, textField } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";

/** The body of `POST /rag/query`. */
export const RagQuery = z
  .object({
    query: textField({ min: 1, max: 2000 }),
    k: z.int().min(1).max(MAX_PASSAGES).default(10).openapi({ description: "results" }),
    rerank_top_n: z
      .int()
      .min(0)
      .max(MAX_PASSAGES)
      .default(20)
      .openapi({ description: "candidates that are put into the order of the reranker; 0: none" }),
    filters: ChunkFilters.nullish(),
  })
  .openapi("RagQuery");
export type RagQuery = z.output<typeof RagQuery>;

/** A chunk, as it is shown. */
export const RagResult = z
  .object({
    id: z.string().openapi({ example: "article:5f0c…:chunk:0" }),
    article_id: z.string().openapi({ description: "the article's uuid" }),
    chunk_no: z.int(),
    url: z.string(),
    title: z.string(),
    snippet: z.string().openapi({ description: "the beginning of the chunk, as plain text" }),
    lang: z.string().nullable(),
    source: z.string(),
    published_at_bucket: z.int().nullable().openapi({ description: "the month as YYYYMM, in UTC" }),
    vector_score: z.number().openapi({ description: "cosine of the question and the chunk" }),
    rerank_pos: z.int().openapi({ description: "from 1; the position by meaning where nothing was reranked" }),
  })
  .openapi("RagResult");
export type RagResult = z.output<typeof RagResult>;

/** The answer of `POST /rag/query`. */
export const RagAnswer = z
  .object({
    ok: z.literal(true),
    timing_ms: z.object({ embed: z.int(), search: z.int(), rerank: z.int(), total: z.int() }),
    reranked: z.boolean().openapi({
      description: "false where that was not asked for, nothing was found, or the reranker cannot answer",
    }),
    results: z.array(RagResult),
  })
  .openapi("RagAnswer");
export type RagAnswer = z.output<typeof RagAnswer>;
