import { FILTERS } from "../../contract/filters.ts";
import { type Column, type Condition, columnOf, equals, filterConditions, type Sql } from "./conditions.ts";
import { soughtTerms } from "./terms.ts";
import type { KeywordQuery } from "./types.ts";

/**
 * What a root is worth beside a stem. On the Arabic sets of `eval --task keyword`, 0.5 and 0.7 gain about .012 nDCG@10
 * over none.
 */
const ROOT_WEIGHT = 0.5;

const ARTICLE_ID: Column = { on: "doc", name: "d.id" };

/** The statement that answers a query, or `undefined` when nothing can match it. */
export function searchStatement(query: KeywordQuery): Sql | undefined {
  const { title = 0, content = 0 } = query.fields ?? { title: 3, content: 1 };
  const fields = [title > 0 ? "title" : "", content > 0 ? "content" : ""].filter((name) => name !== "");
  const { stems, roots } = soughtTerms(query.text);
  if (fields.length === 0 || stems.length === 0) return undefined;
  let match = `(${[...stems, ...roots].map(quoted).join(" OR ")})`;
  // Naming every column would cost a sixth more.
  if (fields.length < 2) match = `{${fields.map((field) => `${field} ${field}_roots`).join(" ")}} : ${match}`;
  const conditions = filterConditions(query.filters ?? {});
  if (query.term !== undefined) {
    const { field, value } = query.term;
    if (field === "title" || field === "content") {
      const words = soughtTerms(String(value)).stems;
      if (words.length === 0) return undefined;
      match = `(${match}) AND {${field}} : (${words.map(quoted).join(" AND ")})`;
    } else conditions.push(equals(field === "article_id" ? ARTICLE_ID : columnOf(FILTERS[field]), value));
  }
  const weights = [title, content, ROOT_WEIGHT * title, ROOT_WEIGHT * content];
  return {
    sql: `select words.rowid id, bm25(words, ?, ?, ?, ?) score from words ${joins(conditions)} where words match ?
      ${conditions.map(({ sql }) => `and ${sql}`).join(" ")} order by score, id desc limit ?`,
    values: [...weights, match, ...conditions.flatMap(({ values }) => values), query.limit],
  };
}

/** The tables that the conditions are about. */
function joins(conditions: readonly Condition[]): string {
  const doc = conditions.length > 0 ? "join doc d on d.id = words.rowid" : "";
  const source = conditions.some(({ on }) => on === "source") ? 'join source s on s."sourceId" = d."sourceId"' : "";
  return `${doc} ${source}`;
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
