import { ARTICLE_FIELDS, comparable } from "../filters.ts";
import { analysedText } from "../keyword/candidates.ts";
import { isInArabic } from "../keyword/invert.ts";
import type { KeywordDoc } from "../keyword/types.ts";
import { domainsOf } from "../opensearch/document.ts";
import { HOST_FIELDS, suffixField } from "../opensearch/mapping.ts";

/**
 * An article as the server holds it: `title` and `content` are stems and roots, each encoded; `sounds` how its words
 * sound; `arabic` whether it is in that script; `ft` and `fc` the words as written, which are shown and not searched;
 * `length` the number of stems and roots.
 */
export type MeiliDocument = {
  id: number;
  title: string;
  content: string;
  sounds: string;
  arabic: boolean;
  ft: string;
  fc: string;
  length: number;
  [field: string]: unknown;
};

/**
 * A term in letters and digits of ASCII, which the server's own analysis leaves as it is: each character's code point
 * in base 36 after a letter that says how many digits it has.
 */
export function encodeTerm(term: string): string {
  return Array.from(term, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(36);
    return "abcdef"[digits.length] + digits;
  }).join("");
}

/** The document of an article. */
export function meiliDocument(doc: KeywordDoc): MeiliDocument {
  const title = analysedText(doc.title);
  const content = analysedText(doc.content);
  const encoded = ({ stems, roots }: { stems: string; roots: string }): string =>
    `${stems} ${roots}`.split(" ").filter(Boolean).map(encodeTerm).join(" ");
  const document: MeiliDocument = {
    ...{ id: doc.articleId, title: encoded(title), content: encoded(content) },
    sounds: `${title.sounds} ${content.sounds}`,
    arabic: isInArabic([...title.rooted, ...content.rooted]),
    ...{ ft: title.forms, fc: content.forms, length: title.terms + content.terms },
  };
  for (const field of ARTICLE_FIELDS) {
    const value = comparable(doc, field);
    document[field] = value;
    if (HOST_FIELDS.has(field)) document[suffixField(field)] = value === null ? [] : domainsOf(String(value));
  }
  return document;
}
