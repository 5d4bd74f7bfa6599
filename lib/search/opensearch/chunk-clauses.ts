import type { ChunkCondition } from "../../contract/filters.ts";
import { at } from "../../std/mod.ts";
import { CHUNK_COLUMNS, spanOf } from "../chunk-conditions.ts";
import { suffixField } from "./mapping.ts";
import type { Clause } from "./query.ts";

/** Conditions on chunks as clauses of a search; what a field lacks passes `notIn` alone. */
export function chunkClauses(conditions: readonly ChunkCondition[]): { filter: Clause[]; must_not: Clause[] } {
  return {
    filter: conditions.filter(({ is }) => is !== "notIn").map(clauseOf),
    must_not: conditions.filter(({ is }) => is === "notIn").map(clauseOf),
  };
}

function clauseOf({ field, is, values }: ChunkCondition): Clause {
  if (field === "published_at_bucket") return monthClause(is, values.map(Number));
  const column = CHUNK_COLUMNS[field] ?? "id";
  if (is === "in" || is === "notIn") return { terms: { [field === "domain" ? suffixField(column) : column]: values } };
  return { range: { [column]: { [is]: at(values, 0) } } };
}

function monthClause(is: ChunkCondition["is"], months: readonly number[]): Clause {
  const spans = months.map(spanOf);
  const first = at(spans, 0);
  const within = (range: Record<string, number>): Clause => ({ range: { publishedAt: range } });
  switch (is) {
    case "in":
    case "notIn":
      return { bool: { should: spans.map(({ start, end }) => within({ gte: start, lt: end })) } };
    case "gte":
      return within({ gte: first.start });
    case "lte":
      return within({ lt: first.end });
    case "gt":
      return within({ gte: first.end });
    case "lt":
      return within({ lt: first.start });
  }
}
