import { createHash } from "node:crypto";
import { ARTICLE_FIELDS, type ArticleFields, comparable } from "../filters.ts";
import { HOST_FIELDS, suffixField } from "./mapping.ts";

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

/** Returns what titles have in common that are the same words. */
export function entitledKey(forms: string): string {
  return createHash("sha256").update(forms).digest("base64url").slice(0, 22);
}
