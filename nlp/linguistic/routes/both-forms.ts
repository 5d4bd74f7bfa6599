import { NOT_BLANK } from "@isnad/lib/contract";
import { AppError, createRoute, type ErrorSlug, invalidFields, problems, z } from "@isnad/lib/service/http";
import { codePointLength } from "@isnad/lib/text";

/** Holds what a route says of itself, the same for both of its forms; `also`: what else it may answer than others. */
type Analysis<
  P extends string,
  A extends z.ZodType,
  B extends z.ZodType,
  Q extends z.ZodObject,
  S extends z.ZodType,
> = {
  path: P;
  /** Holds what is analysed, as the operations' names have it: `analyseMorphology`, `getMorphology`. */
  noun: string;
  /** Names what is got, where that has another name than what is analysed: `getAnalysis`. */
  result?: string;
  tag?: string;
  summary: string;
  description: string;
  also?: readonly ErrorSlug[];
  answer: { description: string; schema: A };
  /** Schema of the answer to a body, where that may hold several texts; {@link orSeveral} makes it. */
  several?: S;
  body: B;
  query: Q;
};

/** Returns a route in its two forms: the text in a body, or in the URL. */
export function bothForms<
  P extends string,
  A extends z.ZodType,
  B extends z.ZodType,
  Q extends z.ZodObject,
  S extends z.ZodType = A,
>({
  path,
  noun,
  result = noun,
  tag = "analysis",
  also = [],
  summary,
  description,
  answer,
  several,
  body,
  query,
}: Analysis<P, A, B, Q, S>) {
  const shared = {
    path,
    tags: [tag],
    summary,
    description,
    responses: {
      200: { description: answer.description, content: { "application/json": { schema: answer.schema } } },
      ...problems("overloaded", "service-unavailable", ...also),
    },
  };
  return {
    posted: createRoute({
      ...shared,
      responses: {
        ...shared.responses,
        200: {
          description: answer.description,
          content: { "application/json": { schema: several ?? answer.schema } },
        },
      },
      method: "post",
      operationId: `analyse${noun}`,
      request: { body: { required: true, content: { "application/json": { schema: body } } } },
    }),
    got: createRoute({
      ...shared,
      responses: { ...shared.responses, ...problems("uri-too-long") },
      method: "get",
      operationId: `get${result}`,
      request: { query },
    }),
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

/** Returns the schema of the answer to a text, or to several. */
export const orSeveral = <A extends z.ZodType>(answer: A) => z.union([answer, z.object({ results: z.array(answer) })]);

/** Number of texts of one request, and code points of all of them together; both at most. */
const MAX_TEXTS = 64;
const MAX_TOGETHER = 100_000;

/** Returns the fields of a body that has one text, or several; {@link eachText} says which. */
export const textFields = () => ({
  text: textField().optional(),
  texts: z
    .array(textField())
    .min(1)
    .max(MAX_TEXTS)
    .refine((texts) => texts.reduce((sum, text) => sum + codePointLength(text), 0) <= MAX_TOGETHER, {
      error: `must have at most ${MAX_TOGETHER} characters in all`,
    })
    .optional()
    .openapi({ description: `In place of \`text\`: the answers are \`results\`, in this order.` }),
});

/** A text, or several. */
type Texts = { text?: string | undefined; texts?: string[] | undefined };

/**
 * Returns what a text is answered with; of several, what each is, in their order. Throws an AppError, 422, where not
 * one of both is given.
 */
export async function eachText<A>(
  { text, texts }: Texts,
  answer: (text: string) => Promise<A>,
): Promise<A | { results: A[] }> {
  if (text !== undefined && texts !== undefined) throw invalidFields({ texts: ["must not be given with text"] });
  if (text !== undefined) return await answer(text);
  if (texts === undefined) throw invalidFields({ text: ["is required"] });
  const results: A[] = [];
  for (const each of texts) results.push(await answer(each));
  return { results };
}

const ARABIC = /\p{Script=Arabic}/u;
const LATIN = /\p{Script=Latin}/u;

/** Throws an AppError, 422, for a text in Latin letters alone, of which an analysis of Arabic would have nothing. */
export function requireArabic(text: string): void {
  if (ARABIC.test(text) || !LATIN.test(text)) return;
  throw invalidFields({ text: ["has no Arabic letter: this route reads Arabic"] });
}

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
