import { decodeHTMLStrict } from "entities/decode";
import { stripMarkup } from "./markup.ts";
import { isPlain } from "./plain.ts";
import { foldSpaces, foldWhiteSpace } from "./white-space.ts";

/**
 * The form in which titles and contents are stored: markup stripped, entities decoded once (`&amp;lt;` becomes `&lt;`),
 * every run of white space one space, U+0000 dropped, lone surrogates replaced by U+FFFD as in any UTF-8 text.
 */
export function cleanText(s: string): string {
  if (isPlain(s) && !s.includes("<") && !s.includes("&")) return foldSpaces(s);
  let text = s.includes("\0") ? s.replaceAll("\0", "") : s;
  if (!text.isWellFormed()) text = text.toWellFormed();
  text = stripMarkup(text);
  if (text.includes("&")) text = decodeHTMLStrict(text);
  return foldWhiteSpace(text);
}
