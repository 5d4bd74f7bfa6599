import { NOT_BLANK } from "@isnad/lib/contract";
import { AppError, createRoute, type ErrorSlug, problems, z } from "@isnad/lib/service/http";
import { codePointLength } from "@isnad/lib/text";

/** Holds what a route says of itself, the same for both of its forms; `also`: what else it may answer than others. */
type Analysis<P extends string, A extends z.ZodType, B extends z.ZodType, Q extends z.ZodObject> = {
  path: P;
  /** Holds what is analysed, as the operations' names have it: `analyseMorphology`, `getMorphology`. */
  noun: string;
  tag?: string;
  summary: string;
  description: string;
  also?: readonly ErrorSlug[];
  answer: { description: string; schema: A };
  body: B;
  query: Q;
};

/** Returns a route in its two forms: the text in a body, or in the URL. */
export function bothForms<P extends string, A extends z.ZodType, B extends z.ZodType, Q extends z.ZodObject>({
  path,
  noun,
  tag = "analysis",
  also = [],
  summary,
  description,
  answer,
  body,
  query,
}: Analysis<P, A, B, Q>) {
  const shared = {
    path,
    tags: [tag],
    summary,
    description,
    responses: {
      200: { description: answer.description, content: { "application/json": { schema: answer.schema } } },
      ...problems(
        "malformed-json",
        "payload-too-large",
        "uri-too-long",
        "unsupported-media-type",
        "validation-error",
        "overloaded",
        "service-unavailable",
        ...also,
      ),
    },
  };
  return {
    posted: createRoute({
      ...shared,
      method: "post",
      operationId: `analyse${noun}`,
      request: { body: { required: true, content: { "application/json": { schema: body } } } },
    }),
    got: createRoute({ ...shared, method: "get", operationId: `get${noun}`, request: { query } }),
  };
}

/** Code points of a text that is analysed, and of one within a URL, at most. */
export const MAX_TEXT = 20_000;
const MAX_URL_TEXT = 2_000;

/**
 * Returns the text to analyse, in a body or within a URL. Its length is judged by {@link requireLength}: too long is no
 * validation error.
 */
export const textField = ({ inUrl = false }: { inUrl?: boolean } = {}) =>
  z
    .string()
    .refine((value) => value.trim() !== "", { error: "must not be empty" })
    .openapi({
      minLength: 1,
      maxLength: inUrl ? MAX_URL_TEXT : MAX_TEXT,
      pattern: NOT_BLANK,
      example: "كتبت الصحيفة عن الانتخابات",
    });

/** Throws an AppError for a text that is too long: 413, or 414 within a URL. */
export function requireLength(text: string, { inUrl }: { inUrl: boolean }): void {
  const length = codePointLength(text);
  if (inUrl && length > MAX_URL_TEXT) {
    throw new AppError("uri-too-long", `A text within a URL may have ${MAX_URL_TEXT} characters at most; POST it.`);
  }
  if (length > MAX_TEXT) {
    throw new AppError("payload-too-large", `The text may have ${MAX_TEXT} characters at most; it has ${length}.`);
  }
}

/** Holds what a client accepts: a media type and how much it likes it (RFC 9110, 12.5.1), in the order of its list. */
type Accepted = { type: string; quality: number };

/**
 * Tells whether a client would rather have a page than JSON, by its `Accept`: who names pages and likes them more, or
 * as much and first. Anything at all is JSON.
 */
export function prefersPage(accept = ""): boolean {
  const accepted = accept.split(",").map(acceptedOf);
  const place = accepted.findIndex(({ type }) => type === "text/html");
  const page = accepted[place]?.quality ?? 0;
  const json = accepted.findIndex(({ type }) => type === "application/json");
  const other = accepted[json] ?? accepted.find(({ type }) => type === "*/*");
  if (page === 0 || other === undefined) return page > 0;
  return page > other.quality || (page === other.quality && place < (json < 0 ? accepted.length : json));
}

function acceptedOf(range: string): Accepted {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const written = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
  const quality = Number(written);
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
