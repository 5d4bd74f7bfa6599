import { analyseQuery } from "../../text/index.ts";
import { type Condition, equals, filterConditions } from "./conditions.ts";
import type { KeywordQuery } from "./types.ts";

/** The statement that answers a query, or `undefined` when nothing can match it. */
export function searchStatement(query: KeywordQuery): Condition | undefined {
  const { title = 0, content = 0 } = query.fields ?? { title: 3, content: 1 };
  const columns = [title > 0 ? "title" : "", content > 0 ? "content" : ""].filter((name) => name !== "");
  const terms = analyseQuery(query.text).map((term) => `"${term}"`);
  if (columns.length === 0 || terms.length === 0) return undefined;
  let match = `{${columns.join(" ")}} : (${terms.join(" OR ")})`;
  const conditions = filterConditions(query.filters ?? {});
  if (query.term !== undefined) {
    const { field, value } = query.term;
    if (field === "title" || field === "content") {
      const words = analyseQuery(String(value)).map((term) => `"${term}"`);
      if (words.length === 0) return undefined;
      match = `(${match}) AND {${field}} : (${words.join(" AND ")})`;
    } else conditions.push(...[equals(COLUMN[field], value)].filter((condition) => condition !== undefined));
  }
  const join = conditions.length === 0 ? "" : "join doc d on d.id = words.rowid join source s on s.id = d.source";
  return {
    sql: `select words.rowid id, bm25(words, ?, ?) score from words ${join} where words match ?
      ${conditions.map(({ sql }) => `and ${sql}`).join(" ")} order by score, id desc limit ?`,
    values: [title, content, match, ...conditions.flatMap(({ values }) => values), query.limit],
  };
}

const COLUMN = {
  article_id: "d.id",
  source_id: "s.key",
  lang: "d.lang",
  category: "d.category",
  domain: "d.domain",
  source_tier: "s.tier",
} as const;
