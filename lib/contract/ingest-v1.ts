import { z } from "@hono/zod-openapi";
import { isObject, type Json } from "../std/mod.ts";
import { parseIsoTime } from "../text/dates/mod.ts";
import { cleanText, codePointLength, codePointSlice, isWebUrl, withoutCredentials } from "../text/mod.ts";
import { hasLength, isIdentifier, isNestedWithin, isVisible, LIMITS } from "./fields.ts";
import { ItemError, type ItemSlug, Problem } from "./problem.ts";

/** Holds what became of one item. */
export const IngestResult = z
  .object({
    external_id: z.string().nullable().openapi({ description: "As sent; null where it was no string." }),
    status: z.enum(["accepted", "duplicate", "conflict", "failed"]),
    article_id: z.int().optional().openapi({ description: "With `accepted` (not in a 409) and `duplicate`." }),
    error: ItemError.optional().openapi({ description: "With `failed`." }),
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

/** The parameters of a rule: what it says of the field that breaks it, and the slug of the error. */
const rule = (slug: ItemSlug, error: string) => ({ error, params: { slug } });

const identifier = (max: number) =>
  z
    .string({ error: "must be a string" })
    .refine(
      (id) => isIdentifier(id, max),
      rule("invalid-field", `must have 1 to ${max} characters, none of them a control or half a character`),
    )
    .openapi({ minLength: 1, maxLength: max, pattern: "^[^\\u0000-\\u001f\\u007f]*$" });

const webUrl = () =>
  z
    .string({ error: "must be a string" })
    .trim()
    .refine((address) => hasLength(address, 0, LIMITS.url), {
      ...rule("invalid-url", `must have at most ${LIMITS.url} characters`),
      abort: true,
    })
    .refine(isWebUrl, { ...rule("invalid-url", "must be an absolute http or https URL"), abort: true })
    .overwrite(withoutCredentials)
    .openapi({ format: "uri", maxLength: LIMITS.url, description: "Kept without user name and password." });

const title = z
  .string({ error: "must be a string" })
  .overwrite(cleanText)
  .refine(
    (text) => hasLength(text, 1, LIMITS.title) && isVisible(text),
    rule("invalid-title", `must have 1 to ${LIMITS.title} characters of text`),
  )
  .openapi({ minLength: 1, maxLength: LIMITS.title, description: "Markup is stripped." });

const content = z
  .string({ error: "must be a string" })
  .overwrite(cleanContent)
  .refine(
    (text) => text.length >= 2 * LIMITS.contentMin || codePointLength(text) >= LIMITS.contentMin,
    rule("content-too-short", `must have at least ${LIMITS.contentMin} characters of text`),
  )
  .openapi({
    minLength: LIMITS.contentMin,
    description: `Plain text. Markup is stripped; what is beyond ${LIMITS.contentMax} characters is cut off.`,
  });

/** Becomes ISO 8601 in UTC. */
const publishedAt = z
  .string({ error: "must be an ISO 8601 timestamp or null" })
  .transform((text) => {
    const time = parseIsoTime(text);
    return time === undefined ? undefined : new Date(time).toISOString();
  })
  .refine((time) => time !== undefined, rule("invalid-date", "must be an ISO 8601 timestamp or null"))
  .openapi({ type: "string", format: "date-time" });

const author = z
  .string({ error: "must be a string" })
  .refine(isAuthor, { error: `must have at most ${LIMITS.author} characters` })
  .openapi({ maxLength: LIMITS.author });

const authors = z
  .array(author, { error: "must be an array of strings" })
  .refine(
    (list) => list.length <= LIMITS.authors,
    rule("too-many-authors", `must have at most ${LIMITS.authors} entries`),
  )
  .openapi({ maxItems: LIMITS.authors });

const images = z
  .array(webUrl(), { error: "must be an array of URLs" })
  .refine((list) => list.length <= LIMITS.images, rule("too-many-images", `must have at most ${LIMITS.images} entries`))
  .openapi({ maxItems: LIMITS.images });

/** Takes what came out of `JSON.parse` as an object: that is JSON: only its depth is left to check. */
const raw = z
  .custom<{ [key: string]: Json }>(isObject, { error: "must be an object" })
  .refine(
    (value) => isNestedWithin(value, LIMITS.rawDepth),
    rule("invalid-field", `must be nested at most ${LIMITS.rawDepth} levels deep`),
  )
  .openapi({ type: "object", description: "Provider metadata, kept as it is." });

/**
 * An article as it is submitted. Unknown fields are ignored, and so are those that the service sets itself. Parsing
 * cleans the title and the content, and cuts the content to its limit.
 */
export const IngestItem = z
  .object({
    source_id: identifier(LIMITS.sourceId),
    external_id: identifier(LIMITS.externalId),
    url: webUrl(),
    title,
    content,
    canonical_url: webUrl().nullable().optional(),
    lang: z.enum(["ar", "en"], { error: "must be ar, en or null" }).nullable().optional(),
    published_at: publishedAt.nullable().optional(),
    authors: authors.optional(),
    images: images.optional(),
    raw: raw.optional(),
    category_label: z.string({ error: "must be a string" }).optional(),
    provider: z.string({ error: "must be a string" }).optional(),
    category_confidence: z
      .number({ error: "must be a number" })
      .optional()
      .openapi({ description: "Clamped into 0 to 100." }),
  })
  .openapi("IngestItem");
export type IngestItem = z.output<typeof IngestItem>;

/** An article before anybody has checked it: whatever is missing or wrong, the ingest route says so. */
export type ItemDraft = Partial<Omit<z.input<typeof IngestItem>, "lang">> & { lang?: string | null };

/** Tells that a source has an article no more; the stored one stays. */
export const DeletionReport = z
  .object({
    kind: z.literal("deleted_at_source", { error: "must be changed or deleted_at_source" }),
    source_id: identifier(LIMITS.sourceId),
    external_id: identifier(LIMITS.externalId),
    url: webUrl().nullable().optional().openapi({ description: "Where it was looked for." }),
  })
  .openapi("DeletionReport");
export type DeletionReport = z.output<typeof DeletionReport>;

/** Tells whether a name is as short as authors are; what a page or feed says of its author may be anything. */
export function isAuthor(name: string): boolean {
  return hasLength(name, 0, LIMITS.author);
}

/** Content as it is stored: cleaned, and cut to its limit. */
function cleanContent(text: string): string {
  const clean = cleanText(text);
  return clean.length <= LIMITS.contentMax ? clean : codePointSlice(clean, 0, LIMITS.contentMax);
}
