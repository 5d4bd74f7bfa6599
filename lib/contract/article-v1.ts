import { z } from "@hono/zod-openapi";
import { ItemError } from "./problem.ts";

const Json = z.record(z.string(), z.unknown());

/** Holds where an article stands: admitted, cleaned, searchable, or given up with a reason. */
const ARTICLE_STATES = ["accepted", "normalized", "indexed", "failed"] as const;
export type ArticleState = (typeof ARTICLE_STATES)[number];

/** Holds where an article stands in a stage that it has not ended. */
const STAGE_STATES = ["waiting", "running", "set-aside"] as const;

const NearDuplicate = z.object({
  article_id: z.int(),
  source_id: z.string(),
  source_name: z.string(),
  title: z.string(),
  url: z.string(),
  published_at: z.string().nullable().openapi({ format: "date-time" }),
  overlap: z.number().min(0).max(1).openapi({
    description: "The share of the words of one text that stand in passages of the other, too; of the two the greater.",
  }),
});

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
    paywalled: z.boolean().openapi({ description: "Its page was behind a wall: the text may be only its beginning." }),
    story_id: z.int().nullable().openapi({ description: "Its story; null until it is put into one." }),
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
    near_duplicates: z.array(NearDuplicate).openapi({
      description: "Other articles that share passages with it, those that share most first, at most 20.",
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

const Report = NearDuplicate.omit({ overlap: true });

/** Tells who had a report first, who took it over, and who is credited. */
export const ChainView = z
  .object({
    article_id: z.int(),
    story_id: z.int().nullable(),
    links: z
      .array(
        Report.extend({
          article_id: z
            .int()
            .nullable()
            .openapi({ description: "Null for a text that was answered `duplicate`: it has no article of its own." }),
          published_at: z.string().nullable().openapi({
            format: "date-time",
            description: "Null where it is missing or impossible (after it came, or the zero of a clock).",
          }),
          kind: z.enum(["origin", "exact", "copy", "partial"]).openapi({
            description:
              "origin: shares nothing with an earlier one that is known here. exact: the same text. copy: at least .8 of " +
              "the shorter text is shared. partial: at least .2.",
          }),
          overlap: z.number().min(0).max(1).openapi({
            description:
              "The share of its words that stand in passages (five words in a row and more) of the text that it is from.",
          }),
          overlap_of_source: z.number().min(0).max(1).openapi({ description: "The same the other way round." }),
          from: z
            .object({ article_id: z.int().nullable(), url: z.string() })
            .nullable()
            .openapi({ description: "The earlier one with which it shares most; null for an origin." }),
          credits: z
            .array(
              z.object({
                name: z.string().openapi({ description: "One name over spellings and languages." }),
                text: z.string(),
                offsets: z.object({ start: z.int(), end: z.int() }),
              }),
            )
            .openapi({
              description:
                "The sources that the text names; offsets in code points of what its source says now (see its revisions).",
            }),
          confidence: z.number().min(0).max(1).openapi({
            description:
              "How sure it is that the text was taken over: the share of such links that are right. 1 for an origin.",
          }),
        }),
      )
      .openapi({ description: "All that are joined by shared text, in order of publication; without a time last." }),
    reports: z.array(Report).openapi({ description: "The other articles of the story." }),
  })
  .openapi("Chain");
export type ChainView = z.output<typeof ChainView>;

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
    error: ItemError.optional().openapi({ description: "With `failed`." }),
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
