import {
  ARTICLE_FILTER_FIELDS,
  type ArticleFilterField,
  type FilterKind,
  type Filters,
  givenFilters,
  type SourceField,
} from "../contract/filter-table.ts";
import type { Article } from "../store/mod.ts";

export type { Filters } from "../contract/filter-table.ts";

/** What filters look at of an article, as the store gives it; a field that is left out has no value. */
export type ArticleFields = Partial<Pick<Article, ArticleFilterField>>;

/** What filters look at of a document: of its article and of the article's source. */
export type FilterFields = ArticleFields & Record<SourceField, number | null> & { articleId: number };

/** The fields of an article that an index needs for its filters. */
export const ARTICLE_FIELDS = [...ARTICLE_FILTER_FIELDS.keys()];

/** Whether no filter is set. */
export function isUnfiltered(filters: Filters): boolean {
  return filters.articleIds === undefined && givenFilters(filters).length === 0;
}

/** Whether a document passes every filter. */
export function matchesFilters(document: FilterFields, filters: Filters): boolean {
  if (filters.articleIds?.includes(document.articleId) === false) return false;
  return givenFilters(filters).every(({ filter, wanted }) => {
    const value = "of" in filter ? document[filter.field] : comparable(document, filter.field);
    return passes(filter.kind, value, wanted);
  });
}

/** A field's value as filters compare it: a time as milliseconds since 1970. */
export function comparable(article: ArticleFields, field: ArticleFilterField): string | number | null {
  const value = article[field] ?? null;
  return typeof value === "string" && ARTICLE_FILTER_FIELDS.get(field)?.is === "time" ? Date.parse(value) : value;
}

/** Returns an article's time in milliseconds since 1970: when it was published, else when it came. */
export function timeOf({ publishedAt, createdAt }: { publishedAt?: string | null; createdAt?: string }): number {
  return Date.parse(publishedAt ?? createdAt ?? "") || 0;
}

/** Whether a value passes a filter of this kind; one that is missing passes none. */
export function passes(kind: FilterKind, value: string | number | null, wanted: string | number): boolean {
  if (value === null) return false;
  switch (kind) {
    case "equals":
      return value === wanted;
    case "within":
      return withinDomain(String(value), String(wanted));
    case "atLeast":
      return value >= wanted;
    case "atMost":
      return value <= wanted;
  }
}

/**
 * Whether `host` is `domain` or one of its subdomains; both in the form of {@link import("../text/mod.ts").asciiHost}.
 */
export function withinDomain(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === ".");
}
