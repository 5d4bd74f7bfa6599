import { z } from "@hono/zod-openapi";
import { LIMITS, textField, wholeParam } from "./fields.ts";

/** The parameters of `GET /v1/suggest` of the API and `GET /suggest` of the retrieval service. */
export const SuggestParams = z.object({
  q: textField({ min: 1, max: LIMITS.query }).openapi({
    description: "Typed so far; the last word may be only begun.",
  }),
  limit: wholeParam({ min: 1, max: 20, fallback: 8 }),
});
export type SuggestParams = z.output<typeof SuggestParams>;

/** A text that somebody may be about to type. */
const Suggestion = z
  .object({
    text: z.string().openapi({ description: "Plain text, as articles write it." }),
    kind: z.enum(["title", "entity", "word"]),
    article_id: z.int().optional().openapi({ description: "Of a title: its article." }),
    entity_id: z.int().optional().openapi({ description: "Of an entity: its number, for `entity` of a search." }),
    count: z.int().openapi({
      description: "Articles that hold the word, or name the entity (of the last 50,000); 1 for a title.",
    }),
  })
  .openapi("Suggestion", { example: { text: "Marrakesh", kind: "entity", entity_id: 7, count: 12 } });
export type Suggestion = z.output<typeof Suggestion>;

/** The body of both routes, likeliest first. */
export const SuggestBody = z.object({ suggestions: z.array(Suggestion) }).openapi("SuggestBody");
export type SuggestBody = z.output<typeof SuggestBody>;
