import { z } from "@isnad/lib/http";
import type { ArticleDetail } from "@isnad/lib/store";

const Json = z.record(z.string(), z.unknown());

/** An article as clients see it; `raw` only for holders of the ingest token. */
export const ArticleView = z
  .object({
    article_id: z.int(),
    doc_id: z.uuid(),
    source_id: z.string(),
    external_id: z.string(),
    url: z.string(),
    canonical_url: z.string(),
    title: z.string(),
    content: z.string(),
    summary: z.string().nullable().openapi({
      description: "Some of its sentences; null until it is indexed, or where SUMMARIZE_ON_INGEST is off.",
    }),
    lang: z.string().nullable(),
    published_at: z.string().nullable().openapi({ format: "date-time" }),
    authors: z.array(z.string()),
    images: z.array(z.string()),
    category_label: z.string().nullable(),
    provider: z.string().nullable(),
    category_id: z.string().nullable(),
    category_source: z.string().nullable(),
    category_confidence: z.number().nullable(),
    taxonomy_version: z.string().nullable(),
    content_hash: z.string().openapi({ description: "SHA-256 in hex." }),
    state: z.enum(["accepted", "normalized", "indexed", "failed"]),
    state_reason: z.string().nullable(),
    gone_at: z
      .string()
      .nullable()
      .openapi({ format: "date-time", description: "Since when its source has it no more (see its revisions)." }),
    entities: z.array(
      z.object({
        entity_id: z.int(),
        name: z.string(),
        type: z.string(),
        mentions: z.int(),
        confidence: z.number().nullable(),
        offsets: z
          .array(z.object({ start: z.int(), end: z.int() }))
          .openapi({ description: "Of the mentions in the content: code points, end exclusive." }),
      }),
    ),
    relations: z.array(
      z.object({
        type: z.string(),
        args: Json,
        confidence: z.number(),
        offsets: z
          .object({ start: z.int(), end: z.int() })
          .openapi({ description: "Code points of the content, end exclusive." }),
        meta: Json,
      }),
    ),
    near_duplicates: z.array(z.object({ article_id: z.int(), distance: z.int().min(0).max(64) })).openapi({
      description: "Other articles that say nearly the same, the nearest first, at most 20; `distance` is in bits.",
    }),
    raw: Json.nullable().optional().openapi({ description: "Only with the ingest token." }),
  })
  .openapi("Article");

/** Shows an article, with its `raw` when `withRaw`. */
export function viewOf(article: ArticleDetail, { withRaw }: { withRaw: boolean }): z.output<typeof ArticleView> {
  return {
    article_id: article.articleId,
    doc_id: article.docId,
    source_id: article.sourceId,
    external_id: article.externalId,
    url: article.url,
    canonical_url: article.canonicalUrl,
    title: article.title,
    content: article.content,
    summary: article.state === "indexed" ? article.summary : null,
    lang: article.lang,
    published_at: article.publishedAt,
    authors: article.authors,
    images: article.images,
    category_label: article.categoryLabel,
    provider: article.provider,
    category_id: article.categoryId,
    category_source: article.categorySource,
    category_confidence: article.categoryConfidence,
    taxonomy_version: article.taxonomyVersion,
    content_hash: article.contentHash,
    state: article.state,
    state_reason: article.stateReason,
    gone_at: article.goneAt,
    entities: article.entities.map(({ entityId, name, type, mentions, confidence, spans }) => ({
      entity_id: entityId,
      name,
      type,
      mentions,
      confidence,
      offsets: offsetsOf(spans),
    })),
    relations: article.relations.map(({ type, args, confidence, start, end, meta }) => ({
      type,
      args,
      confidence,
      offsets: { start, end },
      meta,
    })),
    near_duplicates: article.nearDuplicates.map(({ articleId, distance }) => ({ article_id: articleId, distance })),
    ...(withRaw && { raw: article.raw }),
  };
}

function offsetsOf(spans: readonly number[]): { start: number; end: number }[] {
  return spans.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: spans[i + 1] ?? start }] : []));
}
