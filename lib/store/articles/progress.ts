import type { Sql } from "../client.ts";
import { jsonText, storableReal } from "../json.ts";
import type { NormalizedRow } from "./types.ts";

/** Moves accepted articles on to `normalized` with what was found out. Returns the ids that were still `accepted`. */
export async function markNormalized(sql: Sql, rows: readonly NormalizedRow[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const input = jsonText(
    [...rows]
      .sort((a, b) => a.articleId - b.articleId)
      .map((row) => ({
        ...row,
        ...(row.categoryConfidence != null && { categoryConfidence: storableReal(row.categoryConfidence) }),
        simhash: row.simhash == null ? null : BigInt.asIntN(64, row.simhash).toString(),
      })),
  );
  const moved = await sql<{ articleId: number }[]>`
    with input as materialized (
      select i.* from json_to_recordset(${input}::text::json) as i (
        "articleId" bigint, lang text, "categoryId" text, "categorySource" text, "categoryConfidence" real,
        "taxonomyVersion" text, simhash bigint)
      join articles a on a.article_id = i."articleId" and a.state = 'accepted'
      order by a.article_id
      for update of a
    ), signed as (
      insert into article_signatures (article_id, simhash)
      select "articleId", simhash from input where simhash is not null
      on conflict (article_id) do update set simhash = excluded.simhash
    )
    update articles a set
      lang = i.lang,
      category_id = coalesce(i."categoryId", a.category_id),
      category_source = coalesce(i."categorySource", a.category_source),
      category_confidence = coalesce(i."categoryConfidence", a.category_confidence),
      taxonomy_version = coalesce(i."taxonomyVersion", a.taxonomy_version),
      state = 'normalized', state_reason = null, queued_at = now(), updated_at = now()
    from input i
    where a.article_id = i."articleId"
    returning a.article_id as "articleId"`;
  return moved.map((row) => row.articleId);
}

/** Gives an article up, unless it is indexed, keeping the reason. Returns whether there was one to give up. */
export async function markFailed(sql: Sql, articleId: number, reason: string): Promise<boolean> {
  const result = await sql`
    update articles set state = 'failed', state_reason = ${reason.replaceAll("\u0000", "").slice(0, 2000)}, updated_at = now()
    where article_id = ${articleId} and state in ('accepted', 'normalized')`;
  return result.count === 1;
}

/** Takes failed articles up again from the start. Returns how many. */
export async function retryFailed(sql: Sql, ids: readonly number[]): Promise<number> {
  const result = await sql`
    update articles set state = 'accepted', state_reason = null, queued_at = now(), updated_at = now()
    where article_id = any(${[...ids]}::bigint[]) and state = 'failed'`;
  return result.count;
}

/** Which articles wait for their job for too long. */
export type StaleOptions = { state: "accepted" | "normalized"; olderThanS: number; limit: number };

/** Up to `limit` articles of a state whose job was queued more than `olderThanS` seconds ago, oldest first. */
export async function staleArticles(sql: Sql, { state, olderThanS, limit }: StaleOptions): Promise<number[]> {
  const rows = await sql<{ articleId: number }[]>`
    select article_id as "articleId" from articles
    where state in ('accepted', 'normalized') and state = ${state}
      and queued_at < now() - make_interval(secs => ${olderThanS})
    order by queued_at limit ${limit}`;
  return rows.map(({ articleId }) => articleId);
}

/** Notes that jobs for these articles were queued just now. */
export async function touchQueued(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql`
    update articles set queued_at = now()
    where article_id in (
      select article_id from articles where article_id = any(${[...ids]}::bigint[]) order by article_id for update skip locked)`;
}
