import { FILTERS, givenFilters } from "../../contract/filters.ts";
import type { Filters } from "../filters.ts";
import type { KeywordQuery } from "../keyword/types.ts";
import { suffixField } from "../opensearch/mapping.ts";
import type { SourcesOfTier } from "../opensearch/query.ts";

/** What nothing is. */
const NOTHING = "id < 0";

/**
 * Filters in the server's language, all of which must hold. A term of `title` or `content` is none of them: the server
 * cannot ask for words there.
 */
export async function filterExpressions(
  { filters = {}, term }: { filters?: Filters | undefined; term?: KeywordQuery["term"] },
  sourcesOf: SourcesOfTier,
): Promise<string[]> {
  const among = (field: string, values: readonly (string | number)[]): string =>
    values.length === 0 ? NOTHING : `${field} IN [${values.map(literal).join(", ")}]`;
  const expressions = await Promise.all(
    givenFilters(filters).map(async ({ filter, wanted }) => {
      if ("of" in filter) return among("sourceId", await sourcesOf(Number(wanted)));
      switch (filter.kind) {
        case "equals":
          return `${filter.field} = ${literal(wanted)}`;
        case "within":
          return `${suffixField(filter.field)} = ${literal(wanted)}`;
        case "atLeast":
          return `${filter.field} >= ${Number(wanted)}`;
        case "atMost":
          return `${filter.field} <= ${Number(wanted)}`;
      }
    }),
  );
  if (filters.articleIds !== undefined) expressions.push(among("id", filters.articleIds));
  if (term === undefined || term.field === "title" || term.field === "content") return expressions;
  if (term.field === "article_id") return [...expressions, `id = ${Number(term.value)}`];
  const filter = FILTERS[term.field];
  if ("of" in filter) return [...expressions, among("sourceId", await sourcesOf(Number(term.value)))];
  return [...expressions, `${filter.field} = ${literal(term.value)}`];
}

function literal(value: string | number): string {
  return typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`;
}
