import { z } from "@hono/zod-openapi";
import { ChunkFilters } from "./chunk-filters.ts";
import { textField } from "./fields.ts";

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
