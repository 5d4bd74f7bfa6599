import { z } from "@hono/zod-openapi";
import { Problem } from "./problem.ts";

/** What became of one item. */
export const IngestResult = z
  .object({
    external_id: z.string().nullable().openapi({ description: "As sent; null where it was no string." }),
    status: z.enum(["accepted", "duplicate", "conflict", "failed"]),
    article_id: z.int().optional().openapi({ description: "With `accepted` (not in a 409) and `duplicate`." }),
    error: z
      .object({
        type: z.string().openapi({ example: "/errors/invalid-url" }),
        title: z.literal("Invalid Payload"),
        detail: z.string().openapi({ description: "Names the field and the rule." }),
      })
      .optional()
      .openapi({ description: "With `failed`." }),
  })
  .openapi("IngestResult");
export type IngestResult = z.output<typeof IngestResult>;

/** The body of a 202 of `POST /v1/ingest/articles`. */
export const IngestResponse = z
  .object({
    schema: z.literal("ingest.v1"),
    summary: z.object({
      request_id: z.uuid(),
      received: z.int(),
      accepted: z.int(),
      failed: z.int(),
      conflicts: z.int(),
    }),
    results: z.array(IngestResult).openapi({ description: "One entry per item, in the order of the request." }),
  })
  .openapi("IngestResponse");
export type IngestResponse = z.output<typeof IngestResponse>;

/** The body of a 409: a problem that carries the batch's verdicts. Nothing was stored. */
export const IngestConflict = Problem.extend(IngestResponse.shape).openapi("IngestConflict");
export type IngestConflict = z.output<typeof IngestConflict>;
