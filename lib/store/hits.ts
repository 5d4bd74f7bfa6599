import { repeating } from "./transaction.ts";
import type { Sql } from "./client.ts";

/** Makes the statements over what hits are counted by. */
export function hitStore(sql: Sql) {
  return {
    entities: (articleIds: readonly number[], limit: number) =>
      repeating(() => entitiesOfArticles(sql, articleIds, limit)),
    cameAfter: (articleIds: readonly number[], ms: number) => repeating(() => cameAfter(sql, articleIds, ms)),
    sourceNames: (keys: readonly string[]) => repeating(() => sourceNames(sql, keys)),
  };
}

/** Counts the entities of these articles, the one that most of them name first; equal ones by number. */
async function entitiesOfArticles(
  sql: Sql,
  articleIds: readonly number[],
  limit: number,
): Promise<{ entityId: number; name: string; count: number }[]> {
  if (articleIds.length === 0) return [];
  return await sql<{ entityId: number; name: string; count: number }[]>`
    with counted as (
      select entity_id, count(distinct article_id)::int as count from article_entities
      where article_id = any(${[...articleIds]}::bigint[])
      group by entity_id order by count desc, entity_id limit ${limit}
    )
    select entity_id as "entityId", name, count from counted join entities using (entity_id)
    order by count desc, entity_id`;
}

/** Returns the names of these sources, those that have one. */
async function sourceNames(sql: Sql, keys: readonly string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ key: string; name: string }[]>`
    select key, name from sources where key = any(${[...keys]}::text[])`;
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Returns those of these articles that came after a time, in milliseconds since 1970. */
async function cameAfter(sql: Sql, articleIds: readonly number[], ms: number): Promise<number[]> {
  if (articleIds.length === 0) return [];
  const rows = await sql<{ articleId: number }[]>`
    select article_id as "articleId" from articles
    where article_id = any(${[...articleIds]}::bigint[]) and created_at > to_timestamp(${ms / 1000}::double precision)`;
  return rows.map(({ articleId }) => articleId);
}
