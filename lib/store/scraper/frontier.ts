import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { claiming, free, type Lease, type LeaseTable } from "../lease.ts";
import { onceConnected, repeating, transaction } from "../transaction.ts";
import { jsonText, storableText, urlKey } from "../values.ts";
import { addToRun, type JsonObject, type RunCounts } from "./runs.ts";

/** An article that a feed, sitemap or list page names. */
export type Discovery = {
  url: string;
  /** Holds what was said of it there: title, time, author, categories, summary, content. */
  entry: JsonObject;
  category: string | null;
  /**
   * Names this version of the entry: when it differs from the kept one, the article is fetched again. Empty: not known.
   */
  stamp: string;
};

/** Holds what a feed or page said of itself when it was fetched last, for the next conditional request. */
export type Validators = { etag: string | null; lastModified: string | null; contentHash: string | null };

/** Says how many of the discovered articles were never seen, are to be fetched again, and need nothing. */
type Discovered = { fresh: number; changed: number; known: number };

/** An article to be fetched. */
export type FrontierRow = {
  url: string;
  /** The run that discovered it, null outside of one. */
  runId: string | null;
  entry: JsonObject;
  category: string | null;
  /** Says how often the item was claimed before. */
  attempts: number;
  discoveredAt: string;
  /** Says why it waits again: what it was given back with, or reopened for; null at first. */
  reason: string | null;
};

/** Holds what became of a frontier row. `retry` gives it back, to be taken again after `delayS` (0) seconds. */
export type FrontierOutcome = {
  state: "done" | "failed" | "skipped" | "retry";
  reason?: string | undefined;
  delayS?: number | undefined;
  /** Holds what this adds to the counts of the run that visited it, in the same transaction. */
  counted?: { runId: string; counts: Partial<RunCounts> } | undefined;
};

/** Makes the statements over articles that were discovered. */
export function frontierStore(sql: Sql) {
  return {
    discover: (
      runId: string | null,
      profileId: string,
      entries: readonly Discovery[],
      seen?: { url: string } & Validators,
    ) => discover(sql, runId, profileId, entries, seen),
    take: (profileId: string, options: TakeOptions) => onceConnected(() => takeFrontier(sql, profileId, options)),
    settle: (profileId: string, url: string, outcome: FrontierOutcome) => settleFrontier(sql, profileId, url, outcome),
    reopen: (profileId: string, options: ReopenOptions) => repeating(() => reopenFrontier(sql, profileId, options)),
    counts: () => repeating(() => countFrontier(sql)),
  };
}

/** Makes the statements over the validators of pages. */
export function validatorStore(sql: Sql) {
  return {
    get: (profileId: string, url: string) => repeating(() => getValidators(sql, profileId, url)),
    put: (profileId: string, url: string, seen: Validators) =>
      repeating(() => putValidators(sql, profileId, url, seen)),
  };
}

/** Returns what an address said of itself when it was fetched last, undefined when it never was. */
async function getValidators(sql: Sql, profileId: string, url: string): Promise<Validators | undefined> {
  const [row] = await sql<Validators[]>`
    select etag, last_modified as "lastModified", content_hash as "contentHash"
    from scraper_validators where profile_id = ${profileId} and url_key = ${urlKey(url)}`;
  return row;
}

/** Keeps what an address says of itself. */
async function putValidators(sql: Sql | Tx, profileId: string, url: string, seen: Validators): Promise<void> {
  const [etag, lastModified, contentHash] = [seen.etag, seen.lastModified, seen.contentHash].map(storable);
  await sql`
    insert into scraper_validators (profile_id, url_key, etag, last_modified, content_hash)
    values (${profileId}, ${urlKey(url)}, ${etag ?? null}, ${lastModified ?? null}, ${contentHash ?? null})
    on conflict (profile_id, url_key) do update
    set (etag, last_modified, content_hash, updated_at)
      = (excluded.etag, excluded.last_modified, excluded.content_hash, now())`;
}

function storable(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

const FRONTIER: LeaseTable = {
  name: "scraper_frontier",
  key: ["profile_id", "url_key"],
  open: "w.state = 'waiting'",
};

const REASON_LENGTH = 1000;

/**
 * Keeps what a feed, sitemap or list page names, in the order given, together with what that document said of itself
 * (`seen`) in one transaction: an answer 304 later can never hide an entry that was not kept. A known article is
 * fetched again when its stamp differs; an empty stamp says nothing, and the first one that follows it is only taken
 * note of. Of entries with one URL the first counts.
 */
async function discover(
  sql: Sql,
  runId: string | null,
  profileId: string,
  entries: readonly Discovery[],
  seen?: ({ url: string } & Validators) | undefined,
): Promise<Discovered> {
  const distinct = new Map(entries.toReversed().map((entry) => [entry.url, entry]));
  const rows = jsonText(
    [...distinct.values()].toReversed().map((entry) => ({ ...entry, urlKey: urlKey(entry.url).toString("hex") })),
  );
  return await transaction(
    sql,
    async (tx) => {
      await adoptStamps(tx, profileId, rows);
      const [counts] = await tx<{ fresh: number; changed: number }[]>`
        with stored as (
          insert into scraper_frontier as f (profile_id, url_key, url, run_id, entry, category, stamp)
          select ${profileId}, decode("urlKey", 'hex'), url, ${runId}::uuid, entry, category, stamp
          from jsonb_to_recordset(${rows}::text::jsonb) as i (
            "urlKey" text, url text, entry jsonb, category text, stamp text)
          on conflict (profile_id, url_key) do update set
            (run_id, entry, category, stamp, state, reason, settled_at)
              = (excluded.run_id, excluded.entry, excluded.category, excluded.stamp, 'waiting', null, null),
            attempts = case when f.state = 'waiting' then f.attempts else 0 end,
            due_at = case when f.state = 'waiting' then f.due_at else now() end
          where f.stamp <> excluded.stamp and excluded.stamp <> ''
          returning xmax = 0 as fresh
        )
        select count(*) filter (where fresh)::int as fresh, count(*) filter (where not fresh)::int as changed
        from stored`;
      if (seen !== undefined) await putValidators(tx, profileId, seen.url, seen);
      const { fresh = 0, changed = 0 } = counts ?? {};
      if (runId !== null && fresh + changed > 0) await addToRun(tx, runId, { discovered: fresh + changed });
      return { fresh, changed, known: distinct.size - fresh - changed };
    },
    { exactlyOnce: true },
  );
}

/** Returns what had been found without a stamp, in a list of links, gets what a feed says of it now. */
async function adoptStamps(tx: Tx, profileId: string, rows: string): Promise<void> {
  await tx`
    update scraper_frontier f set stamp = i.stamp, entry = i.entry, category = coalesce(i.category, f.category)
    from jsonb_to_recordset(${rows}::text::jsonb) as i ("urlKey" text, entry jsonb, category text, stamp text)
    where f.profile_id = ${profileId} and f.url_key = decode(i."urlKey", 'hex') and f.stamp = '' and i.stamp <> ''`;
}

type TakeOptions = Lease & { limit: number; exceptHosts?: readonly string[] };

/**
 * Takes up to `limit` articles that are due: those that were never taken first, of these what the latest run
 * discovered, as news does not wait behind an archive, and what one run discovered in that order. None of the hosts
 * `exceptHosts` (as in addresses, with the port). A row that is not settled within `leaseS` seconds is due again.
 */
async function takeFrontier(
  sql: Sql,
  profileId: string,
  { limit, exceptHosts = [], ...lease }: TakeOptions,
): Promise<FrontierRow[]> {
  const rows = await sql<(FrontierRow & { position: number })[]>`
    with ${claiming(sql, FRONTIER, lease, {
      where: sql`and w.profile_id = ${profileId} and w.due_at <= now()
        ${exceptHosts.length === 0 ? sql`` : sql`and split_part(w.url, '/', 3) <> all(${[...exceptHosts]}::text[])`}`,
      orderBy: "(w.attempts > 0), w.run_id desc nulls last, w.position",
      limit,
    })}
    select f.url, f.run_id as "runId", f.entry, f.category, f.attempts - 1 as attempts,
      ${sql.unsafe(iso("f.discovered_at"))} as "discoveredAt", f.reason, f.position
    from claimed f`;
  return rows
    .toSorted((a, b) => Number(a.attempts > 0) - Number(b.attempts > 0) || byRun(a, b) || a.position - b.position)
    .map(({ position: _, ...row }) => row);
}

/** Orders articles by the runs that discovered them, the latest first: their ids grow with time. */
function byRun({ runId: a }: FrontierRow, { runId: b }: FrontierRow): number {
  return (b ?? "") < (a ?? "") ? -1 : Number(a !== b);
}

/** Says what became of an article that was taken. One that is settled already stays as it is, and is not counted. */
async function settleFrontier(
  sql: Sql,
  profileId: string,
  url: string,
  { counted, ...outcome }: FrontierOutcome,
): Promise<void> {
  await transaction(
    sql,
    async (tx) => {
      const isSettled = await settleRow(tx, profileId, url, outcome);
      if (isSettled && counted !== undefined) await addToRun(tx, counted.runId, counted.counts);
    },
    { exactlyOnce: true },
  );
}

/** The same within a transaction, without the counts. False when it was settled already. */
export async function settleRow(
  tx: Tx,
  profileId: string,
  url: string,
  { state, reason, delayS = 0 }: Omit<FrontierOutcome, "counted">,
): Promise<boolean> {
  const why = reason === undefined ? null : storableText(reason).slice(0, REASON_LENGTH);
  const result = await tx`
    update scraper_frontier set ${free(tx)}, reason = ${why},
      ${
        state === "retry"
          ? tx`due_at = now() + make_interval(secs => ${delayS})`
          : tx`state = ${state}, settled_at = now()`
      }
    where profile_id = ${profileId} and url_key = ${urlKey(url)} and state = 'waiting'`;
  return result.count > 0;
}

type ReopenOptions = {
  /** Counts the newest articles of the profile that are looked at. */
  newest: number;
  /** Ages since the discovery at which an article is to be visited again, in seconds. */
  agesS: readonly number[];
  /** Says why they wait. */
  reason: string;
};

/**
 * Lets those of a profile's newest articles wait again that have passed an age since they were visited last. Returns
 * how many.
 */
async function reopenFrontier(sql: Sql, profileId: string, { newest, agesS, reason }: ReopenOptions): Promise<number> {
  const result = await sql`
    update scraper_frontier f set state = 'waiting', reason = ${reason}, attempts = 0, due_at = now()
    from (
      select url_key from scraper_frontier where profile_id = ${profileId} and state = 'done'
      order by discovered_at desc, position limit ${newest}
    ) n
    where f.profile_id = ${profileId} and f.url_key = n.url_key and f.state = 'done' and exists (
      select from unnest(${[...agesS]}::float8[]) as age (s)
      where f.settled_at < f.discovered_at + make_interval(secs => s) and f.discovered_at + make_interval(secs => s) <= now())`;
  return result.count;
}

/** Counts how many articles are in each state, by profile. */
async function countFrontier(sql: Sql): Promise<{ profileId: string; state: string; count: number }[]> {
  return await sql<{ profileId: string; state: string; count: number }[]>`
    select profile_id as "profileId", state, count(*)::int as count
    from scraper_frontier group by profile_id, state order by profile_id, state`;
}
