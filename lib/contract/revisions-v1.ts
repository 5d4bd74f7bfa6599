import { z } from "@hono/zod-openapi";

/** What became of one report. */
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
