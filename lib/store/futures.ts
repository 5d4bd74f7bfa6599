import type { Sql } from "./client.ts";

/**
 * Times that something waits for, and how far ahead each can lie, in hours. What lies further was written while a clock
 * ran ahead: nothing is waited for that long. `of` are the rows that wait at all.
 */
const AWAITED = [
  { table: "articles", column: "queued_at", hours: 0.1, of: "state in ('accepted', 'normalized')" },
  { table: "work", column: "due_at", hours: 12, of: "true" },
  { table: "outbox_deliveries", column: "due_at", hours: 12, of: "true" },
  { table: "scraper_frontier", column: "due_at", hours: 12, of: "state = 'waiting'" },
  { table: "scraper_items", column: "due_at", hours: 12, of: "state = 'pending'" },
  { table: "host_turns", column: "next_at", hours: 12, of: "true" },
  { table: "work", column: "lease_until", hours: 2, of: "true" },
  { table: "outbox_deliveries", column: "lease_until", hours: 2, of: "true" },
  { table: "scraper_frontier", column: "lease_until", hours: 2, of: "state = 'waiting'" },
  { table: "scraper_items", column: "lease_until", hours: 2, of: "state = 'pending'" },
  { table: "scraper_runs", column: "lease_until", hours: 2, of: "status in ('queued', 'running')" },
  { table: "pull_runs", column: "lease_until", hours: 2, of: "status in ('queued', 'running')" },
  { table: "host_leases", column: "lease_until", hours: 2, of: "true" },
] as const;

/**
 * Brings back to the present what waits for a time so far ahead that only a clock which ran ahead can have named it.
 * Returns how many rows, by table and column; those with none are left out.
 */
export async function mendFutures(sql: Sql): Promise<Record<string, number>> {
  const mended: Record<string, number> = {};
  for (const { table, column, hours, of } of AWAITED) {
    const { count } = await sql`
      update ${sql(table)} set ${sql(column)} = now()
      where ${sql.unsafe(of)} and ${sql(column)} > now() + make_interval(secs => ${hours * 3_600})`;
    if (count > 0) mended[`${table}.${column}`] = count;
  }
  return mended;
}
