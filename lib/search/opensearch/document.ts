import { createHash } from "node:crypto";
import { ARTICLE_FIELDS, type ArticleFields, comparable, timeOf } from "../filters.ts";
import { analysedText } from "../keyword/candidates.ts";
import { authorKey } from "../keyword/condition.ts";
import { isInArabic } from "../keyword/invert.ts";
import type { KeywordDoc } from "../keyword/types.ts";
import { HOST_FIELDS, suffixField } from "./mapping.ts";

/** Titles weigh three times as much as content. */
const TITLE_TIMES = 3;

/** Returns what filters look at of an article, as it is written. */
export function filterSource(articleId: number, article: ArticleFields): Record<string, unknown> {
  const source: Record<string, unknown> = { id: articleId };
  for (const field of ARTICLE_FIELDS) {
    const value = comparable(article, field);
    if (value === null) continue;
    source[field] = value;
    if (HOST_FIELDS.has(field)) source[suffixField(field)] = domainsOf(String(value));
  }
  return source;
}

/** A host and every domain above it. */
export function domainsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, i) => labels.slice(i).join("."));
}

/** An article as the index of words holds it. */
export function keywordSource(doc: KeywordDoc): Record<string, unknown> {
  const title = analysedText(doc.title);
  const content = analysedText(doc.content);
  const weighted = (inTitle: string, inContent: string): string =>
    [...new Array<string>(TITLE_TIMES).fill(inTitle), inContent].join(" ");
  return {
    ...filterSource(doc.articleId, doc),
    all: weighted(title.stems, content.stems),
    allr: weighted(title.roots, content.roots),
    ...{ tt: title.stems, tc: content.stems, rt: title.roots, rc: content.roots },
    ...{ ft: title.forms, fc: content.forms },
    sounds: `${title.sounds} ${content.sounds}`,
    arabic: isInArabic([...title.rooted, ...content.rooted]),
    entitled: entitledKey(title.forms),
    length: title.terms + content.terms,
    time: timeOf(doc),
    authors: doc.authors ?? [],
    named: (doc.authors ?? []).map(authorKey),
  };
}

/** Returns what titles have in common that are the same words. */
export function entitledKey(forms: string): string {
  return createHash("sha256").update(forms).digest("base64url").slice(0, 22);
}
