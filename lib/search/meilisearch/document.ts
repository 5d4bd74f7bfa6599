import { FILTERS, givenFilters } from "../../contract/filter-table.ts";
import { asciiHost } from "../../text/mod.ts";
import type { Filters } from "../filters.ts";
import { authorKey } from "../keyword/condition.ts";
import type { KeywordQuery } from "../keyword/types.ts";
import { suffixField } from "../opensearch/mapping.ts";
import type { SourcesOfTier } from "../opensearch/query.ts";
import type { QueryField } from "../query-language/parse.ts";

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

/** Returns what a field of a query asks for in the server's language; undefined for words of the text. */
export function fieldExpression(field: QueryField, text: string): string | undefined {
  switch (field) {
    case "title":
      return undefined;
    case "author":
      return `named = ${literal(authorKey(text).trim())}`;
    case "source":
      return `sourceId = ${literal(text)}`;
    case "category":
      return `categoryId = ${literal(text)}`;
    case "lang":
      return `lang = ${literal(text)}`;
    case "domain": {
      const host = asciiHost(text);
      return host === undefined ? NOTHING : `${suffixField("domain")} = ${literal(host)}`;
    }
    case "entity":
      // The articles that name it are looked up before.
      return NOTHING;
  }
}

/** Holds for no article. */
export const NOTHING = "id < 0";

/** Returns the expression of a field that has one of these values. */
export function among(field: string, values: readonly (string | number)[]): string {
  return values.length === 0 ? NOTHING : `${field} IN [${values.map(literal).join(", ")}]`;
}

/**
 * Filters in the server's language, all of which must hold. A term of `title` or `content` is none of them: the server
 * cannot ask for words there.
 */
export async function filterExpressions(
  { filters = {}, term }: { filters?: Filters | undefined; term?: KeywordQuery["term"] },
  sourcesOf: SourcesOfTier,
): Promise<string[]> {
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

/** Holds what a query reaches at most. */
export const MOST_HITS = 10_000;
