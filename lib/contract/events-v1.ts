import { z } from "@hono/zod-openapi";

const time = () => z.string().openapi({ format: "date-time" });

/** What an event says of its article; the keys are columns of table `articles`. */
export const EventArticle = z
  .object({
    article_id: z.int(),
    doc_id: z.uuid(),
    source_id: z.string(),
    url: z.string(),
    title: z.string(),
    lang: z.string().nullable(),
    published_at: time().nullable(),
    content_hash: z.string().openapi({ description: "SHA-256 in hex." }),
  })
  .openapi("EventArticle");
export type EventArticle = z.output<typeof EventArticle>;

/** What a source says of an article now; the text itself is among the article's revisions. */
export const EventRevision = z
  .object({
    revision: z.int(),
    kind: z.enum(["changed", "deleted_at_source"]),
    title: z.string().optional().openapi({ description: "With `changed`." }),
    content_hash: z.string().optional().openapi({ description: "With `changed`: SHA-256 in hex." }),
    reported_by: z.object({ source_id: z.string(), external_id: z.string() }),
  })
  .openapi("EventRevision");
export type EventRevision = z.output<typeof EventRevision>;

/** An event as webhooks post it. */
export const ArticleEvent = z
  .object({
    id: z.int().openapi({ description: "Grows in the order in which the changes were committed." }),
    type: z.enum(["article.upserted", "article.deleted", "article.revised"]),
    occurred_at: time(),
    article: EventArticle,
    revision: EventRevision.optional().openapi({ description: "With `article.revised`." }),
  })
  .openapi("ArticleEvent");
export type ArticleEvent = z.output<typeof ArticleEvent>;
