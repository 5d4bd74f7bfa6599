import { z } from "@hono/zod-openapi";

/** An error body (RFC 9457); `errors` maps field paths to messages. */
export const Problem = z
  .object({
    type: z.string().openapi({ example: "/errors/validation-error" }),
    title: z.string().openapi({ example: "Validation Error" }),
    status: z.int().openapi({ example: 422 }),
    detail: z.string(),
    instance: z.string().openapi({ description: "The path of the request." }),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    error: z
      .object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() })
      .optional()
      .openapi({ description: "The same as OpenAI's protocol says it, on its routes alone." }),
    closest: z
      .object({ sentence_id: z.int(), text: z.string(), match_score: z.number() })
      .optional()
      .openapi({ description: "The nearest sentence in dialect, where none is the one that was looked up." }),
    reason: z.string().optional().openapi({ description: "What is missing, where `detail` says the same of all." }),
  })
  .openapi("Problem");
export type Problem = z.output<typeof Problem>;

/** Why one item of a batch was refused. */
export type ItemSlug =
  | "missing-field"
  | "invalid-field"
  | "invalid-url"
  | "invalid-title"
  | "content-too-short"
  | "unsupported-language"
  | "invalid-date"
  | "too-many-authors"
  | "too-many-images"
  | "unknown-source"
  | "unknown-article";

/** The `error` of a failed item. */
export const ItemError = z.object({
  type: z.string().openapi({ example: "/errors/invalid-url" }),
  title: z.literal("Invalid Payload"),
  detail: z.string().openapi({ description: "Names the first wrong field and the rule." }),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .openapi({ description: "Where more than one field is wrong: all of them with their rules, the first 20." }),
});
export type ItemError = z.output<typeof ItemError>;

/** Makes the `error` of a failed item. */
export function itemError(slug: ItemSlug, detail: string): ItemError {
  return { type: `/errors/${slug}`, title: "Invalid Payload", detail };
}
