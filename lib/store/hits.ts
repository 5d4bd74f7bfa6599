import type { Sql } from "./client.ts";
import { repeating } from "./transaction.ts";

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

/** Makes the statements over walks of a search. */
export function walkStore(sql: Sql) {
  return {
    begin: (walk: Parameters<typeof beginWalk>[1]) => repeating(() => beginWalk(sql, walk)),
    read: (page: Parameters<typeof readWalk>[1]) => repeating(() => readWalk(sql, page)),
  };
}

/** Bytes of a hit. */
export const WALK_HIT_BYTES = 20;

/** Bounds the walks that are kept, and how long after their last use, in hours. */
const MAX_WALKS = 1_000;
const EXPIRY_HOURS = 24;

/** Keeps the hits of a search; those of others that nobody used for a day, or that are too many, are removed. */
async function beginWalk(
  sql: Sql,
  { query, total, hits }: { query: string; total: number; hits: Uint8Array },
): Promise<string> {
  await sql`
    delete from search_walks where used_at < now() - make_interval(hours => ${EXPIRY_HOURS})
      or walk_id in (select walk_id from search_walks order by used_at desc offset ${MAX_WALKS})`;
  const [row] = await sql<{ walkId: string }[]>`
    insert into search_walks (query, total, hits) values (${query}, ${total}, ${Buffer.from(hits)})
    returning walk_id as "walkId"`;
  if (row === undefined) throw new Error("a walk that was stored has no id");
  return row.walkId;
}

/** Returns up to `limit` hits of a walk from place `from` on; undefined where there is none of this id and query. */
async function readWalk(
  sql: Sql,
  { walkId, query, from, limit }: { walkId: string; query: string; from: number; limit: number },
): Promise<{ total: number; count: number; hits: Uint8Array } | undefined> {
  const [row] = await sql<{ total: number; count: number; hits: Uint8Array }[]>`
    update search_walks set used_at = now() where walk_id = ${walkId} and query = ${query}
    returning total, length(hits) / ${WALK_HIT_BYTES}::int as count,
      substring(hits from ${from * WALK_HIT_BYTES + 1}::int for ${limit * WALK_HIT_BYTES}::int) as hits`;
  return row;
}
