import type { Sql } from "../client.ts";
import { onceConnected, repeating } from "../transaction.ts";
import { frontierStore, validatorStore } from "./frontier.ts";
import { itemStore } from "./items.ts";
import { runStore } from "./runs.ts";

type Limits = { readonly concurrency: number; readonly minDelayMs: number };

/** A permission to send one request to a host. */
type Lease = { readonly host: string; readonly id: string };

/**
 * The lease store of `@isnad/lib/web/egress` that all processes of one database share. Each operation is one short
 * statement on the database's clock; no lock is held while a request is under way. A lease that was never given back
 * ends after `holdMs`.
 */
function hostLeases(sql: Sql) {
  return {
    acquire: (host: string, limits: Limits, holdMs: number) => onceConnected(() => acquire(sql, host, limits, holdMs)),
    release: ({ id }: Lease): Promise<void> =>
      repeating(async () => void (await sql`delete from host_leases where lease_id = ${id}`)),
    /** Nobody asks the host for that long. */
    defer: (host: string, forMs: number): Promise<void> =>
      repeating(
        async () =>
          void (await sql`
            insert into host_turns as t (host, next_at) values (${host}, now() + make_interval(secs => ${forMs / 1000}))
            on conflict (host) do update set next_at = greatest(t.next_at, excluded.next_at), given_at = clock_timestamp()`),
      ),
  };
}

async function acquire(
  sql: Sql,
  host: string,
  { concurrency, minDelayMs }: Limits,
  holdMs: number,
): Promise<{ lease: Lease } | { waitMs: number }> {
  const [answer] = await sql<{ given: string | null; waitMs: number | null }[]>`
    select given, wait_ms as "waitMs" from acquire_host_turn(${host}, ${concurrency}, ${minDelayMs}, ${holdMs})`;
  if (answer?.given != null) return { lease: { host, id: answer.given } };
  return { waitMs: answer?.waitMs ?? 0 };
}

/** Holds what was dropped. */
type Pruned = { runs: number; items: number; frontier: number };

/**
 * Drops runs that ended, items that need not be sent any more, and articles that were settled more than `olderThanS`
 * seconds ago, and hosts that nobody waits for. An article that its source still names is found again after that.
 */
async function pruneScraper(sql: Sql, olderThanS: number): Promise<Pruned> {
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

/** Says how far the clocks of two machines may differ; a slot further ahead was claimed by a clock that was wrong. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Claims a slot of a profile's schedule at the time `now` (ms since 1970). True for exactly one caller, false also for
 * slots before the last claimed one, unless that lies in the future: the clock of who claimed it ran ahead.
 */
async function claimSlot(sql: Sql, profileId: string, slot: string, now: number = Date.now()): Promise<boolean> {
  const latest = new Date(now + TOLERANCE_MS).toISOString();
  const rows = await sql`
    insert into scraper_schedule as s (profile_id, slot) values (${profileId}, ${slot}::text::timestamptz)
    on conflict (profile_id) do update set slot = excluded.slot
      where s.slot < excluded.slot or s.slot > greatest(${latest}::text::timestamptz, excluded.slot)
    returning 1`;
  return rows.length > 0;
}

/**
 * Returns what the scraper keeps: runs, articles discovered, articles kept, and who may ask which host when. Every
 * operation is atomic and decided by the database, whatever the number of processes. An `owner` is a name that nobody
 * else uses, new for each claim.
 */
export function scraperStore(sql: Sql) {
  return {
    runs: runStore(sql),
    schedule: {
      claim: (profileId: string, slot: string, now?: number) =>
        onceConnected(() => claimSlot(sql, profileId, slot, now)),
    },
    frontier: frontierStore(sql),
    validators: validatorStore(sql),
    items: itemStore(sql),
    hostLeases: hostLeases(sql),
    prune: (options: { olderThanS: number }) => repeating(() => pruneScraper(sql, options.olderThanS)),
  };
}
