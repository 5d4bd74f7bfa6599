import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { claiming, free, giveBack, heartbeat, type LeaseTable, MAX_ATTEMPTS, unheld } from "../lease.ts";
import { onceConnected, repeating, transaction } from "../transaction.ts";
import { isUuid, type Json, jsonText, pageOf, readCursor, storableText } from "../values.ts";

/** An object of JSON. */
export type JsonObject = { [key: string]: Json };

/** A run is active while `queued` or `running`; the other states are final. */
type RunStatus = "queued" | "running" | "succeeded" | "partial" | "failed";

/** Holds what asked for a run. */
type RunTrigger = "schedule" | "api" | "cli";

/** Holds what a run did, by article. `conflict` counts articles that changed at their source (`updated_at_source`). */
export type RunCounts = {
  discovered: number;
  fetched: number;
  extracted: number;
  sent: number;
  duplicate: number;
  conflict: number;
  failed: number;
  skipped: number;
};

/** Why an article did not come; `retried`: it is tried again in a later run. */
export type RunError = { url: string; reason: string; at: string; retried: boolean };

/** Holds what a feed, sitemap or list page answered in a run. */
export type RunFeed = {
  url: string;
  kind: "feed" | "sitemap" | "list";
  /** HTTP status of its answer; null when there was none. */
  status: number | null;
  /** Articles that the listing names; null when it was not read, or has not changed since it was last read. */
  entries: number | null;
  /** Entries that were skipped as too old. */
  tooOld: number;
  error: string | null;
};

/** On how many pages a selector of the profile found something, and on how many nothing. */
export type SelectorPages = { matched: number; unmatched: number };

/** Holds what a run has to say beside its counts. */
export type RunDetails = {
  /** The newest hundred, oldest of them first. */
  errors: readonly RunError[];
  feeds: readonly RunFeed[];
  /** Page counts by the name of the selector in the profile's `article`. */
  selectors: Readonly<Record<string, SelectorPages>>;
  /** Articles that were read and passed over as too old, by the origin of the date that decided. */
  tooOld: Readonly<Record<string, number>>;
};

/** A run of a profile. Times are ISO 8601 in UTC. */
export type Run = {
  /** UUID version 7: later runs sort after earlier ones. */
  runId: string;
  profileId: string;
  provider: string;
  trigger: RunTrigger;
  status: RunStatus;
  /** Most articles to fetch; null: as the profile says. */
  limit: number | null;
  options: Json;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  counts: RunCounts;
  error: string | null;
  /** Says how often the run was started: more than once when its process ended early. */
  attempts: number;
  /** Holds what the profile's selectors found on pages, by their names. */
  selectors: Readonly<Record<string, SelectorPages>>;
};

/** A run with everything that is kept of it. */
export type DetailedRun = Run & RunDetails;

/** A run to be queued. */
export type NewRun = {
  profileId: string;
  provider: string;
  trigger: RunTrigger;
  /** The key of the profile's source. */
  sourceKey?: string;
  limit?: number | null;
  options?: Json;
};

/** Says which runs to list, newest first. `since` and `until` are inclusive and apply to `createdAt`. */
type RunFilter = {
  profileId?: string | undefined;
  status?: RunStatus | undefined;
  trigger?: RunTrigger | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
};

/** Makes the statements over runs of profiles. */
export function runStore(sql: Sql) {
  return {
    create: (run: NewRun) => createRun(sql, run),
    claim: (owner: string, options: { leaseS: number; profileIds?: readonly string[] | undefined }) =>
      onceConnected(() => claimRun(sql, owner, options)),
    giveUp: (options?: { profileIds?: readonly string[] | undefined }) => repeating(() => giveUpRuns(sql, options)),
    heartbeat: (runId: string, owner: string, options: Parameters<typeof heartbeatRun>[3]) =>
      repeating(() => heartbeatRun(sql, runId, owner, options)),
    finish: (runId: string, owner: string, end: Parameters<typeof finishRun>[3]) =>
      repeating(() => finishRun(sql, runId, owner, end)),
    release: (runId: string, owner: string, done?: RunProgress) =>
      onceConnected(() => releaseRun(sql, runId, owner, done)),
    get: (runId: string) => repeating(() => getRun(sql, runId)),
    list: (filter: RunFilter) => repeating(() => listRuns(sql, filter)),
    latest: (profileIds: readonly string[]) => repeating(() => latestRuns(sql, profileIds)),
    lastErrors: (profileIds: readonly string[]) => repeating(() => lastErrors(sql, profileIds)),
    recentSelectors: (profileIds: readonly string[], options?: { except?: string | undefined }) =>
      repeating(() => recentSelectors(sql, profileIds, options)),
  };
}

/** Counts of a run that did nothing yet. */
export const NO_COUNTS: RunCounts = {
  discovered: 0,
  fetched: 0,
  extracted: 0,
  sent: 0,
  duplicate: 0,
  conflict: 0,
  failed: 0,
  skipped: 0,
};

/**
 * Adds to the counts of a run that goes on. Called in the transaction of what is counted, so that a process that is
 * killed has counted what it kept, and nothing else.
 */
export async function addToRun(tx: Sql | Tx, runId: string, more: Partial<RunCounts>): Promise<void> {
  await tx`
    update scraper_runs r set counts = r.counts || (
      select coalesce(jsonb_object_agg(key, coalesce((r.counts ->> key)::int, 0) + value::int), '{}')
      from jsonb_each_text(${jsonText(more)}::text::jsonb))
    where run_id = ${runId} and status = 'running'`;
}

/** Details of a run that did nothing yet. */
export const NO_DETAILS: RunDetails = { errors: [], feeds: [], selectors: {}, tooOld: {} };

const REASON_LENGTH = 2000;

function fields(sql: Sql | Tx) {
  return sql.unsafe(`r.run_id as "runId", r.profile_id as "profileId", r.provider, r.trigger, r.status,
    r.item_limit as "limit", r.options, ${iso("r.created_at")} as "createdAt", ${iso("r.started_at")} as "startedAt",
    ${iso("r.finished_at")} as "finishedAt", r.counts, r.error, r.attempts, r.selectors`);
}

function detailedFields(sql: Sql | Tx) {
  return sql`${fields(sql)}, r.errors, r.feeds, r.too_old as "tooOld"`;
}

/** The assignments of what a run's owner says of it; what is undefined stays. */
function progress(sql: Sql, { counts, details }: RunProgress) {
  const { errors, feeds, selectors, tooOld } = details ?? NO_DETAILS;
  return sql`
    ${counts === undefined ? sql`` : sql`, counts = ${jsonText(counts)}::text::jsonb`}
    ${
      details === undefined
        ? sql``
        : sql`, errors = ${jsonText(errors)}::text::jsonb, feeds = ${jsonText(feeds)}::text::jsonb,
            selectors = ${jsonText(selectors)}::text::jsonb, too_old = ${jsonText(tooOld)}::text::jsonb`
    }`;
}

/** Says how far a run is; what is undefined stays as it was written last. */
type RunProgress = { counts?: RunCounts | undefined; details?: RunDetails | undefined };

function whole<T extends Run>(row: T): T {
  return { ...row, counts: { ...NO_COUNTS, ...row.counts } };
}

/** Queues a run, or gives the one of this profile that is not over. */
async function createRun(sql: Sql, run: NewRun): Promise<{ run: Run } | { running: Run }> {
  const { profileId, provider, trigger, sourceKey = null, limit = null, options = null } = run;
  for (;;) {
    const made = await transaction(
      sql,
      (tx) => tx<Run[]>`
        insert into scraper_runs as r (profile_id, provider, trigger, source_key, item_limit, options)
        values (${profileId}, ${provider}, ${trigger}, ${sourceKey}, ${limit}, ${jsonText(options)}::text::jsonb)
        on conflict (profile_id) where status in ('queued', 'running') do nothing
        returning ${fields(tx)}`,
    );
    if (made[0] !== undefined) return { run: whole(made[0]) };
    const [running] = await sql<Run[]>`
      select ${fields(sql)} from scraper_runs r
      where profile_id = ${profileId} and status in ('queued', 'running')`;
    if (running !== undefined) return { running: whole(running) };
  }
}

const RUNS: LeaseTable = { name: "scraper_runs", key: ["run_id"], open: "w.status in ('queued', 'running')" };

/**
 * Claims the oldest run that waits, or whose lease has ended, with the frontier rows in its last owner's hands. A run
 * that was begun five times is not claimed: {@link giveUpRuns}.
 */
async function claimRun(
  sql: Sql,
  owner: string,
  { leaseS, profileIds }: { leaseS: number; profileIds?: readonly string[] | undefined },
): Promise<DetailedRun | undefined> {
  const [run] = await sql<DetailedRun[]>`
    with ${claiming(
      sql,
      RUNS,
      { owner, leaseS },
      {
        where: ofProfiles(sql, profileIds),
        orderBy: "w.run_id",
        limit: 1,
        maxAttempts: MAX_ATTEMPTS,
        set: sql`, status = 'running', started_at = coalesce(w.started_at, now())`,
      },
    )}, freed as (
      update scraper_frontier f set ${free(sql)} from claimed join free using (run_id)
      where f.profile_id = claimed.profile_id and f.state = 'waiting' and f.lease_owner = free.last_owner
    )
    select ${detailedFields(sql)} from claimed r`;
  return run && whole(run);
}

/**
 * Ends the runs that were begun five times and whose owner is silent again, as failed. The articles that were in their
 * hands each time are abandoned with them, so that the profile's next run does not end its process over them again.
 */
async function giveUpRuns(
  sql: Sql,
  { profileIds }: { profileIds?: readonly string[] | undefined } = {},
): Promise<Run[]> {
  const runs = await sql<Run[]>`
    with spent as (
      select run_id, profile_id, lease_owner from scraper_runs w
      where status = 'running' and ${unheld(sql)} and attempts >= ${MAX_ATTEMPTS} ${ofProfiles(sql, profileIds)}
      for update skip locked
    ), freed as (
      update scraper_frontier f set ${free(sql)},
        state = case when attempts >= ${MAX_ATTEMPTS} then 'failed' else f.state end,
        reason = case when attempts >= ${MAX_ATTEMPTS} then 'process-ended' else f.reason end,
        settled_at = case when attempts >= ${MAX_ATTEMPTS} then now() else f.settled_at end
      from spent where f.profile_id = spent.profile_id and f.state = 'waiting' and f.lease_owner = spent.lease_owner
    )
    update scraper_runs r set status = 'failed', finished_at = now(),
      error = 'given up: its process ended ' || attempts || ' times while it ran'
    from spent where r.run_id = spent.run_id
    returning ${fields(sql)}`;
  return runs.map(whole);
}

function ofProfiles(sql: Sql, profileIds: readonly string[] | undefined) {
  return profileIds === undefined ? sql`` : sql`and w.profile_id = any(${[...profileIds]}::text[])`;
}

/**
 * Renews the lease of a run in flight, and writes what it has to say; its counts are written with what they count.
 * False when it is no longer the owner's.
 */
async function heartbeatRun(
  sql: Sql,
  runId: string,
  owner: string,
  { leaseS, details }: { leaseS: number } & Pick<RunProgress, "details">,
): Promise<boolean> {
  const options = { where: sql`and run_id = ${runId}`, set: progress(sql, { details }) };
  return (await heartbeat(sql, RUNS, { owner, leaseS }, options)) > 0;
}

type RunEnd = RunProgress & {
  status: Exclude<RunStatus, "queued" | "running">;
  counts: RunCounts;
  error?: string | null | undefined;
};

/** Ends a run. False when it is no longer the owner's. */
async function finishRun(sql: Sql, runId: string, owner: string, end: RunEnd): Promise<boolean> {
  const error = end.error == null ? null : storableText(end.error).slice(0, REASON_LENGTH);
  const result = await sql`
    update scraper_runs
    set status = ${end.status}, error = ${error}, finished_at = coalesce(finished_at, now()) ${progress(sql, end)}
    where run_id = ${runId} and lease_owner = ${owner} and status in ('running', ${end.status})`;
  return result.count > 0;
}

/**
 * Gives a run back, with the frontier rows in the owner's hands, to be claimed again as if it had not been. False when
 * it is no longer the owner's.
 */
async function releaseRun(sql: Sql, runId: string, owner: string, done: RunProgress = {}): Promise<boolean> {
  const rows = await sql`
    with freed as (
      update scraper_runs w set status = 'queued', ${giveBack(sql)} ${progress(sql, done)}
      where run_id = ${runId} and lease_owner = ${owner} and status = 'running'
      returning profile_id
    ), rows as (
      update scraper_frontier w set ${giveBack(sql)} from freed
      where w.profile_id = freed.profile_id and w.state = 'waiting' and w.lease_owner = ${owner}
    )
    select from freed`;
  return rows.length > 0;
}

/** The run of this id, undefined when there is none. */
async function getRun(sql: Sql, runId: string): Promise<DetailedRun | undefined> {
  if (!isUuid(runId)) return undefined;
  const [run] = await sql<DetailedRun[]>`select ${detailedFields(sql)} from scraper_runs r where run_id = ${runId}`;
  return run && whole(run);
}

/** Runs, newest first, page by page. Throws InvalidCursorError. */
async function listRuns(sql: Sql, filter: RunFilter): Promise<{ runs: Run[]; nextCursor: string | null }> {
  const { profileId, status, trigger, since, until, limit, cursor } = filter;
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const rows = await sql<Run[]>`
    select ${fields(sql)} from scraper_runs r
    where true
      ${profileId === undefined ? sql`` : sql`and profile_id = ${profileId}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${trigger === undefined ? sql`` : sql`and trigger = ${trigger}`}
      ${since === undefined ? sql`` : sql`and created_at >= ${since}::text::timestamptz`}
      ${until === undefined ? sql`` : sql`and created_at <= ${until}::text::timestamptz`}
      ${before === undefined ? sql`` : sql`and run_id < ${before}`}
    order by run_id desc limit ${limit + 1}`;
  const { page, nextCursor } = pageOf(rows, limit, (run) => run.runId);
  return { runs: page.map(whole), nextCursor };
}

/** The newest run of each profile that has one. */
async function latestRuns(sql: Sql, profileIds: readonly string[]): Promise<Map<string, Run>> {
  return byProfile(
    await sql<Run[]>`
      select ${fields(sql)} from unnest(${[...profileIds]}::text[]) as p (id),
        lateral (select * from scraper_runs where profile_id = p.id order by run_id desc limit 1) r`,
  );
}

/** The newest run of each profile that ended with an error. */
async function lastErrors(sql: Sql, profileIds: readonly string[]): Promise<Map<string, Run>> {
  return byProfile(
    await sql<Run[]>`
      select ${fields(sql)} from unnest(${[...profileIds]}::text[]) as p (id),
        lateral (
          select * from scraper_runs where profile_id = p.id and error is not null order by run_id desc limit 1) r`,
  );
}

/**
 * Returns what the selectors of each profile found in its newest twenty runs that read pages, newest first; without run
 * `except`.
 */
async function recentSelectors(
  sql: Sql,
  profileIds: readonly string[],
  { except }: { except?: string | undefined } = {},
): Promise<Map<string, RunDetails["selectors"][]>> {
  const rows = await sql<{ profileId: string; selectors: RunDetails["selectors"] }[]>`
    select p.id as "profileId", r.selectors from unnest(${[...profileIds]}::text[]) as p (id),
      lateral (
        select run_id, selectors from scraper_runs
        where profile_id = p.id and selectors <> '{}' ${except === undefined ? sql`` : sql`and run_id <> ${except}`}
        order by run_id desc limit 20) r
    order by r.run_id desc`;
  const byProfile = Map.groupBy(rows, ({ profileId }) => profileId);
  return new Map([...byProfile].map(([profileId, runs]) => [profileId, runs.map(({ selectors }) => selectors)]));
}

function byProfile(rows: readonly Run[]): Map<string, Run> {
  return new Map(rows.map((run) => [run.profileId, whole(run)]));
}
