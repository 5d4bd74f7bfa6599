import { repeating } from "./transaction.ts";
import type { Sql } from "./client.ts";

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
