import type { Sql } from "../client.ts";
import { claiming, free, heartbeat, type Lease, type LeaseTable, MAX_ATTEMPTS, release, unheld } from "../lease.ts";
import type { EntityBacklog, EntityWork } from "./types.ts";

const ENTITY_WORK: LeaseTable = { name: "entity_work", key: ["article_id"], open: "true" };

/**
 * Claims up to `limit` indexed articles whose entities are still to be found, those that never had any first, then the
 * longest due. One that was claimed five times without an end is left alone.
 */
export async function claimEntityWork(sql: Sql, { limit, ...lease }: Lease & { limit: number }): Promise<EntityWork[]> {
  return await sql<EntityWork[]>`
    with ${claiming(sql, ENTITY_WORK, lease, {
      where: sql`and w.due_at <= now()`,
      orderBy: "w.again, w.due_at, w.article_id",
      limit,
      maxAttempts: MAX_ATTEMPTS,
    })}
    select article_id as "articleId", attempts from claimed order by article_id`;
}

/** Renews the lease of the articles that are still in this owner's hands; returns how many. */
export async function heartbeatEntityWork(sql: Sql, lease: Lease): Promise<number> {
  return await heartbeat(sql, ENTITY_WORK, lease);
}

/** Gives back the articles that are still in this owner's hands, without counting the attempt. */
export async function releaseEntityWork(sql: Sql, owner: string): Promise<number> {
  return await release(sql, ENTITY_WORK, owner);
}

/** Puts articles of this owner off for `delayS` seconds: their attempt failed. */
export async function retryEntityWork(
  sql: Sql,
  owner: string,
  { ids, delayS }: { ids: readonly number[]; delayS: number },
): Promise<void> {
  await sql`
    update entity_work set ${free(sql)}, due_at = now() + make_interval(secs => ${delayS})
    where article_id = any(${[...ids]}::bigint[]) and lease_owner = ${owner}`;
}

/** How many articles wait or are in work, and how many were given up. */
export async function entityBacklog(sql: Sql): Promise<EntityBacklog> {
  const [row] = await sql<EntityBacklog[]>`
    select count(*) filter (where w.attempts < ${MAX_ATTEMPTS} or not ${unheld(sql)})::int as waiting,
      count(*) filter (where w.attempts >= ${MAX_ATTEMPTS} and ${unheld(sql)})::int as "givenUp" from entity_work w`;
  return row ?? { waiting: 0, givenUp: 0 };
}
