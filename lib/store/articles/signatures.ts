import type { Sql } from "../client.ts";

/** An article that says nearly the same; `distance` counts the bits in which the signatures differ. */
export type NearDuplicate = { articleId: number; distance: number };

/**
 * Signatures that differ in more bits than these are of other articles. Over 6,000 Arabic and English news no two
 * unrelated ones differ in fewer than 11; with one word changed 96 % differ in at most 8, with another headline 71 %.
 */
const MAX_DISTANCE = 8;

const LIMIT = 20;

/**
 * Other articles that are nearly the same, the nearest first, at most 20. They are looked for among those that agree in
 * one of six bands of the signature: all that differ in 5 bits or fewer, and nine tenths of those that differ in 8.
 */
export async function nearDuplicates(sql: Sql, articleId: number): Promise<NearDuplicate[]> {
  return await sql<NearDuplicate[]>`
    select near.article_id as "articleId", near.distance from article_signatures own
      cross join lateral (
        select s.article_id, bit_count((s.simhash # own.simhash)::bit(64))::int as distance
        from article_signatures s
        where simhash_bands(s.simhash) && simhash_bands(own.simhash) and s.article_id <> own.article_id
      ) near join articles a on a.article_id = near.article_id and a.state <> 'failed'
    where own.article_id = ${articleId} and near.distance <= ${MAX_DISTANCE}
    order by near.distance, near.article_id limit ${LIMIT}`;
}
