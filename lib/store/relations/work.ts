import type { Sql } from "../client.ts";
import { claiming, free, heartbeat, type Lease, type LeaseTable, MAX_ATTEMPTS, release, unheld } from "../lease.ts";

const RELATION_WORK: LeaseTable = { name: "relation_work", key: ["article_id"], open: "true" };

/** An article whose relations are to be found; `attempts` counts this one. */
export type RelationWork = { articleId: number; attempts: number };

/** How many articles wait for their relations or are in work, and how many were given up. */
export type RelationBacklog = { waiting: number; givenUp: number };

/**
 * Claims up to `limit` articles whose relations are still to be found, the longest due first. One that was claimed five
 * times without an end is left alone.
 */
export async function claimRelationWork(
  sql: Sql,
  { limit, ...lease }: Lease & { limit: number },
): Promise<RelationWork[]> {
  return await sql<RelationWork[]>`
    with ${claiming(sql, RELATION_WORK, lease, {
      where: sql`and w.due_at <= now()`,
      orderBy: "w.due_at, w.article_id",
      limit,
      maxAttempts: MAX_ATTEMPTS,
    })}
    select article_id as "articleId", attempts from claimed order by article_id`;
}

/** Renews the lease of the articles that are still in this owner's hands; returns how many. */
export async function heartbeatRelationWork(sql: Sql, lease: Lease): Promise<number> {
  return await heartbeat(sql, RELATION_WORK, lease);
}

/** Gives back the articles that are still in this owner's hands, without counting the attempt. */
export async function releaseRelationWork(sql: Sql, owner: string): Promise<number> {
  return await release(sql, RELATION_WORK, owner);
}

/** Takes an article of this owner off the list: its relations are stored. */
export async function endRelationWork(sql: Sql, owner: string, articleId: number): Promise<void> {
  await sql`delete from relation_work where article_id = ${articleId} and lease_owner = ${owner}`;
}

/** Puts an article of this owner off for `delayS` seconds: its attempt failed. */
export async function retryRelationWork(
  sql: Sql,
  owner: string,
  { articleId, delayS }: { articleId: number; delayS: number },
): Promise<void> {
  await sql`
    update relation_work set ${free(sql)}, due_at = now() + make_interval(secs => ${delayS})
    where article_id = ${articleId} and lease_owner = ${owner}`;
}

/** How much there is to do. */
export async function relationBacklog(sql: Sql): Promise<RelationBacklog> {
  const [row] = await sql<RelationBacklog[]>`
    select count(*) filter (where w.attempts < ${MAX_ATTEMPTS} or not ${unheld(sql)})::int as waiting,
      count(*) filter (where w.attempts >= ${MAX_ATTEMPTS} and ${unheld(sql)})::int as "givenUp" from relation_work w`;
  return row ?? { waiting: 0, givenUp: 0 };
}
