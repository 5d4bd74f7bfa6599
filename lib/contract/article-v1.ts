import { z } from "@hono/zod-openapi";

const Json = z.record(z.string(), z.unknown());

/** Holds where an article stands: admitted, cleaned, searchable, or given up with a reason. */
const ARTICLE_STATES = ["accepted", "normalized", "indexed", "failed"] as const;
export type ArticleState = (typeof ARTICLE_STATES)[number];

/** Holds where an article stands in a stage that it has not ended. */
const STAGE_STATES = ["waiting", "running", "set-aside"] as const;

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
    state: z.enum(ARTICLE_STATES),
    state_reason: z.string().nullable(),
    gone_at: z
      .string()
      .nullable()
      .openapi({ format: "date-time", description: "Since when its source has it no more (see its revisions)." }),
    entities: z.array(
      z.object({
        entity_id: z.int(),
        name: z.string().openapi({ description: "As the article has it." }),
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
    stages: z
      .array(
        z.object({
          name: z.string().openapi({ example: "entities" }),
          state: z.enum(STAGE_STATES),
          attempts: z.int(),
          reason: z.string().nullable().openapi({ description: "Why the last attempt failed." }),
        }),
      )
      .openapi({ description: "What is still to be done to it; what is `set-aside` waits for an operator." }),
    raw: Json.nullable().optional().openapi({ description: "Only with the ingest token." }),
  })
  .openapi("Article");
export type ArticleView = z.output<typeof ArticleView>;

/** Holds what became of one report. */
export const RevisionResult = z
  .object({
    external_id: z.string().nullable().openapi({ description: "As sent; null where it was no string." }),
    status: z.enum(["recorded", "known", "failed"]).openapi({
      description: "recorded: its source says something else than before; known: it says what it said before.",
    }),
    article_id: z.int().optional().openapi({ description: "With `recorded` and `known`." }),
    revision: z
      .int()
      .optional()
      .openapi({ description: "What the source says now; 1 is the article as it was stored." }),
    error: z
      .object({
        type: z.string().openapi({ example: "/errors/unknown-article" }),
        title: z.literal("Invalid Payload"),
        detail: z.string(),
      })
      .optional()
      .openapi({ description: "With `failed`." }),
  })
  .openapi("RevisionResult");
export type RevisionResult = z.output<typeof RevisionResult>;

/** The body of a 200 to a request with reports. */
export const RevisionResponse = z
  .object({
    schema: z.literal("revisions.v1"),
    summary: z.object({
      request_id: z.uuid(),
      received: z.int(),
      recorded: z.int(),
      known: z.int(),
      failed: z.int(),
    }),
    results: z.array(RevisionResult).openapi({ description: "One entry per report, in the order of the request." }),
  })
  .openapi("RevisionResponse");
export type RevisionResponse = z.output<typeof RevisionResponse>;
