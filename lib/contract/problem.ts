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

/** The `error` of a failed item; `detail` names the field and the rule. */
export type ItemError = { type: `/errors/${ItemSlug}`; title: "Invalid Payload"; detail: string };

/** Makes the `error` of a failed item. */
export function itemError(slug: ItemSlug, detail: string): ItemError {
  return { type: `/errors/${slug}`, title: "Invalid Payload", detail };
}
