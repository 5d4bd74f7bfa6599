import type { Sql } from "./client.ts";
import { claiming, free, heartbeat, type Lease, type LeaseTable, MAX_ATTEMPTS, release, unheld } from "./lease.ts";
import { onceConnected, repeating } from "./transaction.ts";

/** An article that something is still to be found in; `attempts` counts this one. */
export type ArticleWork = { articleId: number; attempts: number };

/** How many articles wait or are in work, and how many were given up. */
export type Backlog = { waiting: number; givenUp: number };

/** Which of those that are due are claimed first, in each table of articles to work on. */
const ORDER = {
  // Those that never had any come first.
  entity_work: "w.again, w.due_at, w.article_id",
  relation_work: "w.due_at, w.article_id",
  // The newest first, those of long ago when there is time for them.
  rerank_work: "w.due_at desc, w.article_id desc",
};

/** Statements over a table of articles to work on, in the hands of one owner at a time. */
export function articleWork(sql: Sql, name: keyof typeof ORDER) {
  const table: LeaseTable = { name, key: ["article_id"], open: "true" };
  return {
    /** Claims up to `limit` articles that are due. One that was claimed five times without an end is left alone. */
    claim: ({ limit, ...lease }: Lease & { limit: number }): Promise<ArticleWork[]> =>
      onceConnected(async () => {
        const due = { where: sql`and w.due_at <= now()`, orderBy: ORDER[name], limit, maxAttempts: MAX_ATTEMPTS };
        return await sql<ArticleWork[]>`
          with ${claiming(sql, table, lease, due)}
          select article_id as "articleId", attempts from claimed order by article_id`;
      }),
    /** Renews the lease of the articles that are still in this owner's hands; returns how many. */
    heartbeat: (lease: Lease): Promise<number> => repeating(() => heartbeat(sql, table, lease)),
    /** Gives back the articles that are still in this owner's hands, without counting the attempt. */
    release: (owner: string): Promise<number> => repeating(() => release(sql, table, owner)),
    /** Puts articles of this owner off for `delayS` seconds: their attempt failed. */
    retry: (owner: string, { ids, delayS }: { ids: readonly number[]; delayS: number }): Promise<void> =>
      repeating(async () => {
        await sql`
          update ${sql(name)} set ${free(sql)}, due_at = now() + make_interval(secs => ${delayS})
          where article_id = any(${[...ids]}::bigint[]) and lease_owner = ${owner}`;
      }),
    /** Takes an article of this owner off the list. */
    end: (owner: string, articleId: number): Promise<void> =>
      repeating(async () => {
        await sql`delete from ${sql(name)} where article_id = ${articleId} and lease_owner = ${owner}`;
      }),
    backlog: (): Promise<Backlog> =>
      repeating(async () => {
        const [row] = await sql<Backlog[]>`
          select count(*) filter (where w.attempts < ${MAX_ATTEMPTS} or not ${unheld(sql)})::int as waiting,
            count(*) filter (where w.attempts >= ${MAX_ATTEMPTS} and ${unheld(sql)})::int as "givenUp"
          from ${sql(name)} w`;
        return row ?? { waiting: 0, givenUp: 0 };
      }),
  };
}
