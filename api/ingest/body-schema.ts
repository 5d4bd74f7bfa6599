import { Problem, z } from "@isnad/lib/http";
import { IngestItem } from "@isnad/lib/contract";
import { INGEST_SCHEMA } from "./answer.ts";

/** The request body: one item, or a batch. */
export const ingestBody = (maxBatch: number) =>
  z.union([z.object({ articles: z.array(IngestItem).min(1).max(maxBatch) }), IngestItem]);

const ItemResult = z
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

/** The body of a 202. */
export const IngestResponse = z
  .object({
    schema: z.literal(INGEST_SCHEMA),
    summary: z.object({
      request_id: z.uuid(),
      received: z.int(),
      accepted: z.int(),
      failed: z.int(),
      conflicts: z.int(),
    }),
    results: z.array(ItemResult).openapi({ description: "One entry per item, in the order of the request." }),
  })
  .openapi("IngestResponse");

/** The body of a 409: a problem that carries the batch's verdicts. Nothing was stored. */
export const IngestConflict = Problem.extend(IngestResponse.shape).openapi("IngestConflict");

/** What the documentation shows as a request. */
export const EXAMPLE = {
  articles: [
    {
      source_id: "alwatan",
      external_id: "2024-0815",
      url: "https://alwatan.example/news/815",
      title: "افتتاح خط قطار جديد يربط الساحل بالعاصمة",
      content: `${"بدأ صباح اليوم تشغيل خط القطار الجديد الذي يربط مدن الساحل بالعاصمة في أقل من ساعتين. ".repeat(3)}`,
      lang: "ar",
      published_at: "2024-05-06T07:00:00Z",
      category_label: "محليات",
      provider: "alwatan",
    },
  ],
};
