import type { ArticleFilterField } from "../contract/filter-table.ts";
import type { ChunkCondition, ChunkField } from "../contract/filters.ts";
import { withinDomain } from "./filters.ts";

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
