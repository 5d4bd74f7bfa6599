import type { Sql } from "../client.ts";
import type { EntityBacklog, EntityWork } from "./types.ts";

/** An article that was taken so often and never done is left alone. */
export const ATTEMPTS = 5;

/**
 * Takes up to `limit` indexed articles whose entities are still to be found, those that never had any first, then the longest due, and
 * leases them for `leaseS` seconds: other processes do not get them meanwhile, and get them afterwards if they were not done.
 */
export async function takeEntityWork(
  sql: Sql,
  { limit, leaseS }: { limit: number; leaseS: number },
): Promise<EntityWork[]> {
  return await sql<EntityWork[]>`
    with due as materialized (
      select article_id from entity_work where due_at <= now() and attempts < ${ATTEMPTS}
      order by again, due_at, article_id limit ${limit} for update skip locked
    ), taken as (
      update entity_work w set due_at = now() + make_interval(secs => ${leaseS}), attempts = attempts + 1
      from due where w.article_id = due.article_id returning w.article_id, w.attempts
    )
    select a.article_id as "articleId", a.title, a.content, t.attempts
    from taken t join articles a using (article_id) order by a.article_id`;
}

/** Gives leased articles back at once, without counting the attempt. */
export async function returnEntityWork(sql: Sql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update entity_work set due_at = now(), attempts = greatest(attempts - 1, 0)
    where article_id = any(${[...ids]}::bigint[])`;
}

/** How many articles wait or are in work, and how many were given up. */
export async function entityBacklog(sql: Sql): Promise<EntityBacklog> {
  const [row] = await sql<EntityBacklog[]>`
    select count(*) filter (where attempts < ${ATTEMPTS} or due_at > now())::int as waiting,
      count(*) filter (where attempts >= ${ATTEMPTS} and due_at <= now())::int as "givenUp" from entity_work`;
  return row ?? { waiting: 0, givenUp: 0 };
}
