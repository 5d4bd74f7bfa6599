import type { Sql } from "../client.ts";

/** What was dropped. */
export type Pruned = { runs: number; items: number; frontier: number };

/**
 * Drops runs that ended, items that need not be sent any more, and articles that were settled more than `olderThanS`
 * seconds ago, and hosts that nobody waits for. An article that its source still names is found anew after that.
 */
export async function pruneScraper(sql: Sql, olderThanS: number): Promise<Pruned> {
  const since = sql`now() - make_interval(secs => ${olderThanS})`;
  const items = await sql`delete from scraper_items where state <> 'pending' and kept_at < ${since}`;
  const runs = await sql`delete from scraper_runs where finished_at < ${since}`;
  const frontier = await sql`delete from scraper_frontier where state <> 'waiting' and settled_at < ${since}`;
  await sql`delete from host_leases where lease_until < now()`;
  await sql`
    delete from host_turns t where next_at < now() - interval '1 day'
      and not exists (select from host_leases l where l.host = t.host)`;
  return { runs: runs.count, items: items.count, frontier: frontier.count };
}
