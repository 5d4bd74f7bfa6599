import type { DigestInterval, EventArticle } from "../../contract/mod.ts";
import { iso } from "../articles/columns.ts";
import type { Sql } from "../client.ts";
import { claiming, free, heartbeat, type Lease, type LeaseTable } from "../lease.ts";
import { repeating, transaction } from "../transaction.ts";

/** Makes the statements over deliveries of matches. */
export function hookStore(sql: Sql) {
  return {
    claim: (options: Lease & { limit: number; failing: boolean }) => claimHooks(sql, options),
    heartbeat: (lease: Lease) => repeating(() => heartbeatHooks(sql, lease)),
    release: (owner: string) => repeating(() => releaseHooks(sql, owner)),
    events: (searchId: number, limit: number) => repeating(() => eventsOfSearch(sql, searchId, limit)),
    ack: (owner: string, searchId: number, upTo: { eventId: number; next: boolean }) =>
      repeating(() => ackHook(sql, owner, searchId, upTo)),
    defer: (owner: string, searchId: number, failure: { reason: string; delayS: number }) =>
      repeating(() => deferHook(sql, owner, searchId, failure)),
    settle: (owner: string, searchId: number) => settleHook(sql, owner, searchId),
  };
}

/** Searches with events that their webhook has not taken. */
const HOOKS: LeaseTable = {
  name: "saved_searches",
  key: ["search_id"],
  open: "w.due_at is not null and w.webhook is not null",
};

/** A search whose webhook is due. */
export type DueHook = {
  searchId: number;
  name: string;
  webhook: string;
  digest: DigestInterval;
  feedKey: string | null;
  /** Counts the claims of its next event before this one: above 0 it may have been delivered. */
  attempts: number;
  /** Deliveries that failed in a row. */
  failures: number;
};

/** An event of a search that its webhook has not taken. */
export type HookEvent = { id: number; occurredAt: string; article: EventArticle };

/**
 * Claims searches that are due, the longest due first. `failing`: of those whose last delivery failed, else of the
 * others, so that these wait for none that fail.
 */
async function claimHooks(
  sql: Sql,
  { limit, failing, ...lease }: Lease & { limit: number; failing: boolean },
): Promise<DueHook[]> {
  return await sql<DueHook[]>`
    with ${claiming(sql, HOOKS, lease, {
      where: sql`and w.due_at <= now() and ${failing ? sql`w.failures > 0` : sql`w.failures = 0`}`,
      orderBy: "w.due_at",
      limit,
    })}
    select search_id as "searchId", name, webhook, digest, feed_key as "feedKey", attempts - 1 as attempts, failures
    from claimed order by due_at`;
}

/** Renews the lease of what this owner holds; returns how many searches. */
async function heartbeatHooks(sql: Sql, lease: Lease): Promise<number> {
  return await heartbeat(sql, HOOKS, lease);
}

/** Gives back what this owner holds. What was under way counts as tried, for it may have arrived. */
async function releaseHooks(sql: Sql, owner: string): Promise<void> {
  await sql`update saved_searches set ${free(sql)} where lease_owner = ${owner}`;
}

/** Returns the next events of a search, in their order; those of articles that are gone are left out. */
async function eventsOfSearch(sql: Sql, searchId: number, limit: number): Promise<HookEvent[]> {
  return await sql<HookEvent[]>`
    select event_id as id, ${sql.unsafe(iso("occurred_at"))} as "occurredAt", article
    from outbox o
    where subject = ${`search:${searchId}`} and type = 'search.matched'
      and event_id > (select delivered_id from saved_searches where search_id = ${searchId})
      and exists (select from search_matches m where m.search_id = ${searchId} and m.article_id = o.article_id)
    order by event_id limit ${limit}`;
}

/** Notes that the webhook has taken the events up to `eventId`; `next`: the one after it is sent at once. */
async function ackHook(
  sql: Sql,
  owner: string,
  searchId: number,
  { eventId, next }: { eventId: number; next: boolean },
): Promise<boolean> {
  const { count } = await sql`
    update saved_searches set delivered_id = ${eventId}, attempts = ${next ? 1 : 0}, failures = 0, last_error = null
    where search_id = ${searchId} and lease_owner = ${owner}`;
  return count > 0;
}

const REASON_LENGTH = 1000;

/** Puts the next delivery of a search off, and says why. */
async function deferHook(
  sql: Sql,
  owner: string,
  searchId: number,
  { reason, delayS }: { reason: string; delayS: number },
): Promise<void> {
  await sql`
    update saved_searches set ${free(sql)}, failures = failures + 1, last_error = ${reason.slice(0, REASON_LENGTH)},
      due_at = now() + make_interval(secs => ${delayS})
    where search_id = ${searchId} and lease_owner = ${owner}`;
}

/** Lets a search go whose events were sent; it is due again where more have come. */
async function settleHook(sql: Sql, owner: string, searchId: number): Promise<void> {
  await transaction(sql, async (tx) => {
    // The next statement sees what was written by whoever held the row before.
    await tx`select from saved_searches where search_id = ${searchId} for update`;
    await tx`
      update saved_searches s set ${free(tx)}, attempts = 0, due_at = case when exists (
        select from outbox o where subject = ${`search:${searchId}`} and event_id > s.delivered_id
          and exists (select from search_matches m where m.search_id = s.search_id and m.article_id = o.article_id)
      ) then now() end
      where search_id = ${searchId} and lease_owner = ${owner}`;
  });
}
