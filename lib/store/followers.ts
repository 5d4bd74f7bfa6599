import { repeating } from "./transaction.ts";
import type { Sql } from "./client.ts";
import type { Lease } from "./lease.ts";
import { CHUNKS_CHANNEL, type FollowerRequest } from "./log.ts";

/** Makes the statements over followers of the log. */
export function followerStore(sql: Sql) {
  return {
    lease: (name: string, lease: Lease) => repeating(() => leaseFollower(sql, name, lease)),
    free: (name: string, owner: string) => repeating(() => freeFollower(sql, name, owner)),
    put: (report: FollowerReport) => repeating(() => putFollower(sql, report)),
    list: () => repeating(() => listFollowers(sql)),
    ask: (kind: string, wanted: FollowerRequest) => repeating(() => askFollowers(sql, kind, wanted)),
    settle: (name: string) => repeating(() => settleFollower(sql, name)),
    leave: (name: string) => repeating(() => leaveFollower(sql, name)),
    prune: () => repeating(() => pruneFollowers(sql)),
  };
}

/** Holds what a follower does: it fills its index for the first time, makes it equal again, keeps up, or fails. */
export type FollowerState = "filling" | "healing" | "following" | "failing";

/** Says how a follower stands. */
type FollowerReport = {
  name: string;
  state: FollowerState;
  seq: number;
  /** Says how often it found its index of another history, or of no use. */
  resets: number;
  /** Why it began again the last time, or why it fails; null where it never did. */
  reason: string | null;
};

/**
 * Takes, or keeps, the right to feed what `name` feeds. Returns false while another owner has it. Who holds a right and
 * never says how it stands is no follower that is listed.
 */
async function leaseFollower(sql: Sql, name: string, { owner, leaseS }: Lease): Promise<boolean> {
  const { count } = await sql`
    insert into followers as f (name, state, lease_owner, lease_until, updated_at)
    values (${name}, 'filling', ${owner}, now() + make_interval(secs => ${leaseS}), to_timestamp(0))
    on conflict (name) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
    where f.lease_owner is null or f.lease_owner = excluded.lease_owner or f.lease_until < now()`;
  return count > 0;
}

/** Gives that right back. */
async function freeFollower(sql: Sql, name: string, owner: string): Promise<void> {
  await sql`
    update followers set lease_owner = null, lease_until = null where name = ${name} and lease_owner = ${owner}`;
}

/** Writes down how a follower stands. */
async function putFollower(sql: Sql, { name, state, seq, resets, reason }: FollowerReport): Promise<void> {
  await sql`
    insert into followers (name, state, seq, resets, reason) values (${name}, ${state}, ${seq}, ${resets}, ${reason})
    on conflict (name) do update set state = excluded.state, seq = excluded.seq, resets = excluded.resets,
      reason = excluded.reason, updated_at = now()`;
}

/** Followers that said nothing for so long are gone. */
const SILENT_S = 3_600;

/** A follower that said nothing for so long does not run, in seconds. */
export const FOLLOWER_SILENT_S = 20;

/** A follower as doctor and health show it. */
export type FollowerFacts = FollowerReport & { behind: number; silentS: number; wanted: FollowerRequest | null };

/** Returns how the followers stand that are still heard of. */
export async function listFollowers(sql: Sql): Promise<FollowerFacts[]> {
  return await sql<FollowerFacts[]>`
    select name, state, seq, resets, reason, wanted, extract(epoch from now() - updated_at)::float8 as "silentS",
      (select count(*)::int from (select from article_log l where l.seq > f.seq limit 100000) as later) as behind
    from followers f where updated_at > now() - make_interval(secs => ${SILENT_S}) order by name`;
}

/** Asks the followers of a kind (`keyword`, `vectors`) that are known; returns their names. */
async function askFollowers(sql: Sql, kind: string, wanted: FollowerRequest): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    update followers set wanted = ${wanted} where split_part(name, '@', 1) = ${kind} returning name`;
  await sql`select pg_notify(${CHUNKS_CHANNEL}, '')`;
  return rows.map(({ name }) => name);
}

/** Says that what was asked of a follower is done. */
async function settleFollower(sql: Sql, name: string): Promise<void> {
  await sql`update followers set wanted = null where name = ${name}`;
}

/** Forgets a follower that has ended, unless something is asked of the next one of its name. */
async function leaveFollower(sql: Sql, name: string): Promise<void> {
  await sql`update followers set updated_at = updated_at - make_interval(secs => ${SILENT_S}) where name = ${name}`;
  await sql`delete from followers where name = ${name} and wanted is null`;
}

/** Forgets followers that were not heard of for a day. */
async function pruneFollowers(sql: Sql): Promise<void> {
  await sql`
    delete from followers where updated_at < now() - interval '1 day' and (lease_until is null or lease_until < now())`;
}
