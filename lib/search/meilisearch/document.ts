import { FILTERS, givenFilters } from "../../contract/filter-table.ts";
import { asciiHost } from "../../text/mod.ts";
import { ARTICLE_FIELDS, comparable, type Filters, timeOf } from "../filters.ts";
import { analysedText } from "../keyword/candidates.ts";
import { authorKey } from "../keyword/condition.ts";
import { isInArabic } from "../keyword/invert.ts";
import type { KeywordDoc, KeywordQuery } from "../keyword/types.ts";
import { domainsOf } from "../opensearch/document.ts";
import { HOST_FIELDS, suffixField } from "../opensearch/mapping.ts";
import type { SourcesOfTier } from "../opensearch/query.ts";
import type { QueryField } from "../query-language/mod.ts";

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

/** Words of a name at most: a name has some runs of each. */
const MAX_NAME_WORDS = 8;

/** Returns every run of the words of a name, as names are compared: the server compares whole values only. */
function namesWithin(name: string): string[] {
  const words = authorKey(name).trim().split(" ").slice(0, MAX_NAME_WORDS);
  return words.flatMap((_, from) =>
    words.slice(from).map((_word, more) => words.slice(from, from + more + 1).join(" ")),
  );
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
    ...{ time: timeOf(doc), authors: doc.authors ?? [], named: (doc.authors ?? []).flatMap(namesWithin) },
  };
  for (const field of ARTICLE_FIELDS) {
    const value = comparable(doc, field);
    document[field] = value;
    if (HOST_FIELDS.has(field)) document[suffixField(field)] = value === null ? [] : domainsOf(String(value));
  }
  return document;
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

/**
 * The settings of an index: our terms are searched as they are. No typos, no prefixes, no nearness of words: what ranks
 * is ours.
 */
export const SETTINGS = {
  searchableAttributes: ["title", "content", "sounds"],
  displayedAttributes: ["id", "ft", "fc", "length", "time"],
  filterableAttributes: [
    "id",
    "arabic",
    "time",
    "authors",
    "named",
    ...ARTICLE_FIELDS,
    ...[...HOST_FIELDS].map(suffixField),
  ],
  sortableAttributes: ["id", "time"],
  rankingRules: ["words", "attribute", "exactness"],
  stopWords: [],
  typoTolerance: { enabled: false },
  prefixSearch: "disabled" as const,
  proximityPrecision: "byAttribute" as const,
  pagination: { maxTotalHits: MOST_HITS },
  faceting: { maxValuesPerFacet: 1_000, sortFacetValuesBy: { "*": "count" as const } },
};
