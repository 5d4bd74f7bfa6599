import { z } from "@hono/zod-openapi";
import { hasLength, NOT_BLANK } from "./fields.ts";

const LONGEST_TEXT = 50_000;

/** How long a summary is: a sentence or two, a few, or about twice as many. */
const SUMMARY_LENGTHS = ["short", "medium", "long"] as const;

/** The body of `POST /api/ai/summarize`. */
export const SummaryRequest = z
  .object({
    text: z
      .string()
      .refine((value) => hasLength(value, 1, LONGEST_TEXT), {
        error: `must have 1 to ${LONGEST_TEXT} characters`,
        abort: true,
      })
      .refine((value) => value.trim() !== "", { error: "must not be blank" })
      .openapi({ minLength: 1, maxLength: LONGEST_TEXT, pattern: NOT_BLANK }),
    target_lang: z
      .enum(["ar", "en"])
      .optional()
      .openapi({ description: "Language of the summary; the text's where missing." }),
    length: z.enum(SUMMARY_LENGTHS).default("medium"),
    format: z.enum(["paragraph", "bullets"]).default("paragraph"),
  })
  .openapi("SummaryRequest");

/** The body of an answer of `POST /api/ai/summarize`. */
export const Summary = z
  .object({
    summary: z.string().openapi({ description: "With `bullets` a line for each, after a hyphen." }),
    bullets: z.array(z.string()).optional().openapi({ description: "With format `bullets`." }),
    target_lang: z
      .string()
      .openapi({ description: "`und` where none was asked for and the text's is neither ar nor en." }),
    length: z.enum(SUMMARY_LENGTHS),
    format: z.enum(["paragraph", "bullets"]),
    model: z.string(),
  })
  .openapi("Summary");

/** The body of the edge worker's `POST /llm/summarize`. */
export const EdgeSummaryRequest = SummaryRequest.omit({ format: true }).openapi("EdgeSummaryRequest");

/** What the edge worker answers: the points of the summary in the order of the text. */
export const EdgeSummary = z
  .object({
    ok: z.literal(true),
    model: z.string(),
    points: z.array(z.string()).min(1),
    target_lang: z.string(),
  })
  .openapi("EdgeSummary");
