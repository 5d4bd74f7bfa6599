import { FILTERS, givenFilters } from "../../contract/filter-table.ts";
import { asciiHost } from "../../text/mod.ts";
import type { Filters } from "../filters.ts";
import { formsText } from "../keyword/candidates.ts";
import { authorKey } from "../keyword/condition.ts";
import { type AcrossTerms, acrossTerms } from "../keyword/cross-language.ts";
import { type AnalysedQuery, wordsOf } from "../keyword/query.ts";
import type { KeywordQuery } from "../keyword/types.ts";
import type { QueryField, QueryNode } from "../query-language/parse.ts";
import { type Clause, suffixField } from "./mapping.ts";

/** The sources of a tier: a tier is not indexed, so that a change of it touches no article. */
export type SourcesOfTier = (tier: number) => Promise<readonly string[]>;

/** Terms of a query that are looked for: more than 1,024 clauses are refused. */
const MOST_TERMS = 500;

/** Holds what a root is worth beside a stem, as in the embedded index. */
const ROOT = 0.5;

/** Returns what a query's words look for; undefined where it has none. */
export function wordClause({ stems, roots }: AnalysedQuery, fields: KeywordQuery["fields"]): Clause | undefined {
  const [stemText, rootText] = [repeated(stems), repeated(roots)];
  if (stemText === "" && rootText === "") return undefined;
  const { title = 0, content = 0 } = fields ?? { title: 3, content: 1 };
  const should =
    title === 3 * content && content > 0
      ? [matchOf("all", stemText, content), matchOf("allr", rootText, ROOT * content)]
      : [
          acrossFields(stemText, ["tt", "tc"], title, content),
          acrossFields(rootText, ["rt", "rc"], title, content, ROOT),
        ];
  const given = should.filter((clause) => clause !== undefined);
  return given.length === 0 ? undefined : { bool: { should: given, minimum_should_match: 1 } };
}

/** Returns what a query is in the other language; undefined where nothing is known of that. */
export function acrossClause({ stems, sounds }: AcrossTerms): Clause | undefined {
  const [stemText, soundText] = [stems.slice(0, MOST_TERMS).join(" "), sounds.join(" ")];
  const should = [matchOf("all", stemText, 1), matchOf("sounds", soundText, 1)].filter(
    (clause) => clause !== undefined,
  );
  return should.length === 0 ? undefined : { bool: { should, minimum_should_match: 1 } };
}

/** Returns what a document must be and must not be, beside holding a word of the query. */
export async function conditionClauses(
  { filters = {}, term, condition }: Pick<KeywordQuery, "filters" | "term" | "condition">,
  { phrases, excludedWords, excludedPhrases }: Pick<AnalysedQuery, "phrases" | "excludedWords" | "excludedPhrases">,
  sourcesOf: SourcesOfTier,
): Promise<{ filter: Clause[]; must_not: Clause[] }> {
  return {
    filter: [
      ...(await filterClauses(filters, sourcesOf)),
      ...(term === undefined ? [] : [await termClause(term, sourcesOf)]),
      ...phrases.map((words) => phraseClause(words.map(({ form }) => form))),
      ...(condition === undefined ? [] : [nodeClause(condition)]),
    ],
    must_not: [
      ...excludedWords.flatMap(({ stems }) => (stems.length === 0 ? [] : [allOf("all", stems)])),
      ...excludedPhrases.map((words) => phraseClause(words.map(({ form }) => form))),
    ],
  };
}

/** The filters of a search; the fields are those of both indexes. */
export async function filterClauses(filters: Filters, sourcesOf: SourcesOfTier): Promise<Clause[]> {
  const clauses = await Promise.all(
    givenFilters(filters).map(async ({ filter, wanted }): Promise<Clause> => {
      if ("of" in filter) return { terms: { sourceId: await sourcesOf(Number(wanted)) } };
      switch (filter.kind) {
        case "equals":
          return { term: { [filter.field]: wanted } };
        case "within":
          return { term: { [suffixField(filter.field)]: wanted } };
        case "atLeast":
          return { range: { [filter.field]: { gte: wanted } } };
        case "atMost":
          return { range: { [filter.field]: { lte: wanted } } };
      }
    }),
  );
  if (filters.articleIds !== undefined) clauses.push({ terms: { id: filters.articleIds } });
  return clauses;
}

async function termClause(
  { field, value }: NonNullable<KeywordQuery["term"]>,
  sourcesOf: SourcesOfTier,
): Promise<Clause> {
  if (field === "article_id") return { term: { id: Number(value) } };
  if (field === "title" || field === "content") {
    const stems = wordsOf(String(value)).flatMap((word) => word.stems);
    return stems.length === 0 ? { match_none: {} } : allOf(field === "title" ? "tt" : "tc", stems);
  }
  const filter = FILTERS[field];
  if ("of" in filter) return { terms: { sourceId: await sourcesOf(Number(value)) } };
  return { term: { [filter.field]: value } };
}

/** Returns what a condition asks for; `isOut`: within something that is excluded, which has no translation. */
function nodeClause(node: QueryNode, isOut = false): Clause {
  switch (node.is) {
    case "all":
      return { bool: { filter: node.of.map((each) => nodeClause(each, isOut)) } };
    case "any":
      return { bool: { should: node.of.map((each) => nodeClause(each, isOut)), minimum_should_match: 1 } };
    case "not":
      return { bool: { must_not: [nodeClause(node.of, true)] } };
    case "among":
      return { terms: { id: node.keys } };
    case "phrase":
      return textClause(node.text, ["ft", "fc"]);
    case "word": {
      const words = wordsOf(node.text).map(({ form, stems }): Clause => {
        const across = isOut ? undefined : acrossClause(acrossTerms(form));
        const either = [allOf("all", stems), ...(across === undefined ? [] : [across])];
        return { bool: { should: either, minimum_should_match: 1 } };
      });
      return words.length === 0 ? { match_none: {} } : { bool: { filter: words } };
    }
    case "field":
      return fieldClause(node.field, node.text, node.quoted);
  }
}

/** Returns what a text asks for as a phrase in one of these fields. */
function textClause(text: string, fields: readonly string[]): Clause {
  const forms = wordsOf(text).map(({ form }) => form);
  if (forms.length === 0) return { match_none: {} };
  return { bool: { should: fields.map((field) => ({ match_phrase: { [field]: formsText(forms) } })) } };
}

function fieldClause(field: QueryField, text: string, quoted: boolean): Clause {
  const equals = (name: string): Clause => ({ term: { [name]: { value: text, case_insensitive: true } } });
  switch (field) {
    case "title": {
      if (quoted) return textClause(text, ["ft"]);
      const stems = wordsOf(text).flatMap((word) => word.stems);
      return stems.length === 0 ? { match_none: {} } : allOf("tt", stems);
    }
    case "author": {
      const name = authorKey(text).trim();
      return name === "" ? { match_none: {} } : { match_phrase: { named: name } };
    }
    case "source":
      return equals("sourceId");
    case "category":
      return equals("categoryId");
    case "lang":
      return equals("lang");
    case "domain": {
      const host = asciiHost(text);
      return host === undefined ? { match_none: {} } : { term: { [suffixField("domain")]: host } };
    }
    case "entity":
      // The articles that name it are looked up before.
      return { match_none: {} };
  }
}

function allOf(field: string, stems: readonly string[]): Clause {
  return { bool: { filter: [...new Set(stems)].map((stem) => ({ term: { [field]: stem } })) } };
}

/** Words one after another, as written, in title or content. */
function phraseClause(forms: readonly string[]): Clause {
  const text = formsText(forms);
  return { bool: { should: ["ft", "fc"].map((field) => ({ match_phrase: { [field]: text } })) } };
}

function matchOf(field: string, text: string, boost: number): Clause | undefined {
  return text === "" ? undefined : { match: { [field]: { query: text, boost } } };
}

function acrossFields(
  text: string,
  [inTitle, inContent]: readonly [string, string],
  title: number,
  content: number,
  boost = 1,
): Clause | undefined {
  const fields = [...(title > 0 ? [`${inTitle}^${title}`] : []), ...(content > 0 ? [`${inContent}^${content}`] : [])];
  if (text === "" || fields.length === 0) return undefined;
  return { multi_match: { query: text, type: "cross_fields", tie_breaker: 0.3, fields, boost } };
}

/** Each term so often as the query has it. */
function repeated(times: ReadonlyMap<string, number>): string {
  return [...times]
    .slice(0, MOST_TERMS)
    .flatMap(([term, count]) => new Array<string>(count).fill(term))
    .join(" ");
}
