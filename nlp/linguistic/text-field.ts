import { NOT_BLANK } from "@isnad/lib/contract";
import { AppError, z } from "@isnad/lib/service/http";
import { codePointLength } from "@isnad/lib/text";

/** Code points of a text that is analysed, and of one within a URL, at most. */
export const MAX_TEXT = 20_000;
const MAX_URL_TEXT = 2_000;

/**
 * The text to analyse, in a body or within a URL. Its length is judged by {@link requireLength}: too long is no
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
