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
