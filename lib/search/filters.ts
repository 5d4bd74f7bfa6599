import {
  ARTICLE_FILTER_FIELDS,
  type ArticleFilterField,
  type FilterKind,
  type Filters,
  givenFilters,
  type SourceField,
} from "../contract/filter-table.ts";
import type { ChunkCondition, ChunkField } from "../contract/filters.ts";
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

/** Says where the vector index has what a field of chunks is compared with; undefined for the article's number. */
export const CHUNK_COLUMNS: Readonly<Record<ChunkField, ArticleFilterField | undefined>> = {
  published_at_bucket: "publishedAt",
  lang: "lang",
  source: "sourceId",
  category: "categoryId",
  domain: "domain",
  article_id: undefined,
};

/**
 * Returns what a condition asks of a value of its column: for `notIn`, what must not be. A month is asked of a time in
 * milliseconds since 1970, in UTC.
 */
export function testOf({ field, is, values }: ChunkCondition): (value: string | number) => boolean {
  const [first = ""] = values;
  if (field === "published_at_bucket") return monthTest(is, values.map(Number));
  if (field === "domain" && (is === "in" || is === "notIn")) {
    return (value) => values.some((domain) => withinDomain(String(value), String(domain)));
  }
  const wanted = new Set(values);
  switch (is) {
    case "in":
    case "notIn":
      return (value) => wanted.has(value);
    case "gte":
      return (value) => value >= first;
    case "lte":
      return (value) => value <= first;
    case "gt":
      return (value) => value > first;
    case "lt":
      return (value) => value < first;
  }
}

/** The month of a time as YYYYMM, in UTC. */
export function monthOf(time: Date): number {
  return time.getUTCFullYear() * 100 + time.getUTCMonth() + 1;
}

function monthTest(is: ChunkCondition["is"], months: readonly number[]): (value: string | number) => boolean {
  const spans = months.map(spanOf);
  const [first = { start: 0, end: 0 }] = spans;
  switch (is) {
    case "in":
    case "notIn":
      return (value) => spans.some(({ start, end }) => Number(value) >= start && Number(value) < end);
    case "gte":
      return (value) => Number(value) >= first.start;
    case "lte":
      return (value) => Number(value) < first.end;
    case "gt":
      return (value) => Number(value) >= first.end;
    case "lt":
      return (value) => Number(value) < first.start;
  }
}

/** From the first millisecond of a month, YYYYMM, to the first after it. */
export function spanOf(month: number): { start: number; end: number } {
  const [year, no] = [Math.floor(month / 100), month % 100];
  return { start: startOf(year, no), end: startOf(year, no + 1) };
}

function startOf(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, 1);
  return date.getTime();
}

/**
 * Tells whether a value of the field itself, a month in place of a time, meets a condition; null for one that is
 * missing.
 */
export function conditionHolds(condition: ChunkCondition, value: string | number | null): boolean {
  const time = condition.field === "published_at_bucket" && value !== null ? spanOf(Number(value)).start : value;
  const passes = time !== null && testOf(condition)(time);
  return condition.is === "notIn" ? !passes : passes;
}
