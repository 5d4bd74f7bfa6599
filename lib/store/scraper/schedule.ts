import type { Sql } from "../client.ts";

/**
 * Claims a slot of a profile's schedule. True for exactly one caller, false also for slots before the last claimed one.
 */
export async function claimSlot(sql: Sql, profileId: string, slot: string): Promise<boolean> {
  const rows = await sql`
    insert into scraper_schedule as s (profile_id, slot) values (${profileId}, ${slot}::text::timestamptz)
    on conflict (profile_id) do update set slot = excluded.slot where s.slot < excluded.slot
    returning 1`;
  return rows.length > 0;
}
