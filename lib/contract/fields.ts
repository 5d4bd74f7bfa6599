import { z } from "@hono/zod-openapi";
import { parseIsoTime } from "../text/dates/machine-dates.ts";
import { codePointLength, hasControl, isWebUrl } from "../text/mod.ts";

/** Limits of an article, in code points and entries; those of title and content count the cleaned text. */
export const LIMITS = {
  sourceId: 128,
  externalId: 255,
  title: 512,
  contentMin: 200,
  /** Longer content is cut to this. */
  contentMax: 200_000,
  /** A canonical category, and the label that a source gives. */
  category: 128,
  authors: 25,
  author: 256,
  images: 25,
  url: 2048,
  /** Levels of nesting within `raw`. */
  rawDepth: 100,
  /** The text of a search, and the name of an entity. */
  query: 512,
  /** Relations of an article, fields of one, arguments of one, and what fills one. */
  relations: 5000,
  relationFields: 100,
  relationArguments: 32,
  argument: 10_000,
} as const;

/** Holds what the text of a field has to match that is not blank, for the documents. */
export const NOT_BLANK = "\\S";

/** A string of `min` to `max` code points. */
export function textField({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .refine((value) => hasLength(value, min, max), { error: `must have ${min} to ${max} characters`, abort: true })
    .openapi({ minLength: min, maxLength: max });
}

/** Tells whether a text has a character that can be seen: white space, marks alone and controls cannot. */
export const isVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** A text of 1 to `max` code points that people are shown: not blank, and without half a character. */
export function shownField({ max }: { max: number }) {
  return textField({ min: 1, max })
    .refine((value) => isVisible(value) && value.isWellFormed(), { error: "must have a visible character" })
    .openapi({ pattern: NOT_BLANK });
}

/** A name of 1 to `max` code points that is looked up in the store, which holds none with U+0000. */
export function nameField({ max }: { max: number }) {
  return textField({ min: 1, max })
    .refine((value) => !value.includes("\0"), { error: "must not have the character U+0000" })
    .openapi({ pattern: "^[^\\u0000]*$" });
}

/** Tells whether `value` has `min` to `max` code points. Counts no further than it must. */
export function hasLength(value: string, min: number, max: number): boolean {
  // A code point is one or two units: most strings are decided by their units alone.
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const points = codePointLength(value);
  return points >= min && points <= max;
}

/** A number as JSON writes it without an exponent. */
const PLAIN_NUMBER = /^-?\d{1,40}(?:\.\d{1,20})?$/;
const WHOLE_NUMBER = /^\d{1,16}$/;

/** A number within a query string; one that breaks `schema` is refused in the words of a body. */
function numberText(schema: z.ZodType<number, number>, isWritten: (text: string) => boolean, rule: string) {
  return z.string().transform((text, ctx) => {
    const read = isWritten(text) || PLAIN_NUMBER.test(text) ? schema.safeParse(Number(text)) : undefined;
    if (read?.success === true && isWritten(text)) return read.data;
    for (const message of read?.error?.issues.map((issue) => issue.message) ?? [rule]) {
      ctx.addIssue({ code: "custom", message });
    }
    return z.NEVER;
  });
}

/** A whole number. Not `z.int()`, whose own range would be named beside this one. */
export function wholeField({ min, max }: { min: number; max: number }) {
  return z
    .number()
    .refine(Number.isInteger, { error: "must be a whole number" })
    .min(min)
    .max(max)
    .openapi({ type: "integer", minimum: min, maximum: max });
}

/** A whole number within a query string. */
export function wholeText({ min, max }: { min: number; max: number }) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return numberText(wholeField({ min, max }), (text) => WHOLE_NUMBER.test(text), rule).openapi({
    type: "integer",
    minimum: min,
    maximum: max,
  });
}

/** The same with a default. */
export function wholeParam({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  return wholeText({ min, max })
    .optional()
    .transform((value) => value ?? fallback)
    .openapi({ type: "integer", minimum: min, maximum: max, default: fallback });
}

/** Says of a cursor what clients need. */
export const CURSOR_DOC = "The `next_cursor` of the page before.";

/** Parameters of a page of a list whose cursor is the number of the last row of the page before. */
export function pageParams({ max, fallback }: { max: number; fallback: number }) {
  return {
    limit: wholeParam({ min: 1, max, fallback }),
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, { error: "must be the next_cursor of a page of this list" })
      .transform(Number)
      .optional()
      .openapi({ type: "string", pattern: "^[1-9]\\d{0,14}$", description: CURSOR_DOC }),
  };
}

/** Longest way to write a number within a query string. */
const NUMBER_LENGTH = 32;
const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** A number within a query string, in ASCII, with a point or an exponent, and with a default. */
export function decimalParam({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  const isWritten = (text: string) => text.length <= NUMBER_LENGTH && DECIMAL.test(text);
  return numberText(z.number().min(min).max(max), isWritten, `must be a number from ${min} to ${max}`)
    .optional()
    .transform((value) => value ?? fallback)
    .openapi({ type: "number", minimum: min, maximum: max, default: fallback });
}

/** The number of a claim, review, story or search within a path; what is none leads nowhere, which is 404. */
export function numberParam() {
  return z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: "must be a number" })
    .transform(Number)
    .openapi({ type: "integer", minimum: 1, maximum: 999_999_999_999_999, example: 17 });
}

/** The number of an article within a path; its `doc_id` serves as well, for those that know no other. */
export function articleIdParam() {
  return z.string().openapi({
    type: "integer",
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The article's number; its `doc_id` is taken, too.",
    example: 4711,
  });
}

/** A yes or no within a query string; no where it is missing. */
export function flagParam({ fallback = false }: { fallback?: boolean } = {}) {
  return z
    .enum(["true", "false", "1", "0"], { error: "must be true or false" })
    .default(fallback ? "true" : "false")
    .transform((text) => text === "true" || text === "1")
    .openapi({ type: "boolean", default: fallback });
}

/** A time within a query string, as milliseconds since 1970. `endOfDay`: a date alone stands for its end. */
export function timeParam({ endOfDay = false }: { endOfDay?: boolean } = {}) {
  return z
    .string()
    .transform((text, ctx) => {
      const time = parseIsoTime(text, { endOfDay });
      if (time !== undefined) return time;
      ctx.addIssue({ code: "custom", message: "must be an ISO 8601 date or timestamp" });
      return z.NEVER;
    })
    .openapi({ type: "string", anyOf: [{ format: "date-time" }, { format: "date" }] });
}

/**
 * Tells whether `id` can name something: 1 to `max` code points, none of them a control character or half a character.
 */
export function isIdentifier(id: string, max: number): boolean {
  return hasLength(id, 1, max) && !hasControl(id) && id.isWellFormed();
}

/** Tells whether objects and arrays are nested at most `depth` levels deep, `value` itself being the first. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null && !isNestedWithin(child, depth - 1)) return false;
  }
  return true;
}

/** The address of a page or feed. */
export function addressField() {
  return z
    .string()
    .max(LIMITS.url)
    .refine(isWebUrl, { error: "must be an absolute http or https URL" })
    .openapi({ format: "uri" });
}
