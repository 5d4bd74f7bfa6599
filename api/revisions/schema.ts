import { DeletionReport, IngestItem } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";

const Report = z.union([
  DeletionReport,
  IngestItem.extend({ kind: z.literal("changed").optional() }).openapi("ChangeReport"),
]);

/** The request body: one report, or a batch. */
export const revisionBody = (maxBatch: number) =>
  z.union([z.object({ articles: z.array(Report).min(1).max(maxBatch) }), Report]);

const time = () => z.string().openapi({ format: "date-time" });

/** What changed from one text to the next. */
export const Difference = z
  .object({
    title: z.object({ before: z.string(), after: z.string() }).nullable().openapi({ description: "null: the same." }),
    sentences: z
      .array(z.object({ change: z.enum(["removed", "added"]), text: z.string() }))
      .openapi({ description: "What only one of both texts has, in the order of reading." }),
    unchanged: z.int().openapi({ description: "Sentences that both have." }),
  })
  .openapi("TextDifference");

/** The revisions of an article, as clients see them. */
export const RevisionsView = z
  .object({
    article_id: z.int(),
    doc_id: z.uuid(),
    gone_at: time().nullable().openapi({ description: "Since when its own source has it no more." }),
    sources: z
      .array(
        z.object({
          source_id: z.string(),
          external_id: z.string(),
          url: z.string(),
          revision: z.int(),
          gone_at: time().nullable(),
        }),
      )
      .openapi({ description: "What each source that the article is known from says now, its own first." }),
    revisions: z.array(
      z
        .object({
          revision: z.int().openapi({ description: "1 is the article as it was stored." }),
          kind: z.enum(["stored", "changed", "deleted_at_source"]),
          at: time(),
          title: z.string().nullable(),
          content: z.string().nullable().openapi({ description: "null for a deletion." }),
          content_hash: z.string().nullable().openapi({ description: "SHA-256 in hex." }),
          url: z.string().nullable(),
          reported_by: z.object({
            source_id: z.string(),
            external_id: z.string(),
            request_id: z.string().nullable().openapi({ description: "X-Request-Id of the report." }),
          }),
          difference: Difference.nullable().openapi({ description: "From the text before it; null without either." }),
        })
        .openapi("Revision"),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi("Revisions");
