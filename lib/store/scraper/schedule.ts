import type { Sql } from "../client.ts";

/** How far the clocks of two machines may differ; a slot further ahead was claimed by a clock that was wrong. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Claims a slot of a profile's schedule at the time `now` (ms since 1970). True for exactly one caller, false also for
 * slots before the last claimed one, unless that lies in the future: the clock of who claimed it ran ahead.
 */
export async function claimSlot(sql: Sql, profileId: string, slot: string, now: number = Date.now()): Promise<boolean> {
  const latest = new Date(now + TOLERANCE_MS).toISOString();
  const rows = await sql`
    insert into scraper_schedule as s (profile_id, slot) values (${profileId}, ${slot}::text::timestamptz)
    on conflict (profile_id) do update set slot = excluded.slot
      where s.slot < excluded.slot or s.slot > greatest(${latest}::text::timestamptz, excluded.slot)
    returning 1`;
  return rows.length > 0;
}
