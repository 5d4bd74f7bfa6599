import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { pageOf, readCursor } from "../cursor.ts";
import { jsonText, storableText } from "../json.ts";
import { transaction } from "../transaction.ts";
import { isUuid } from "../uuid.ts";
import type { NewRun, Run, RunCounts, RunFilter, RunStatus } from "./types.ts";

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

const REASON_LENGTH = 2000;

function fields(sql: Sql | Tx) {
  return sql.unsafe(`r.run_id as "runId", r.profile_id as "profileId", r.provider, r.trigger, r.status,
    r.item_limit as "limit", r.options, ${iso("r.created_at")} as "createdAt", ${iso("r.started_at")} as "startedAt",
    ${iso("r.finished_at")} as "finishedAt", r.counts, r.error`);
}

function whole(row: Run): Run {
  return { ...row, counts: { ...NO_COUNTS, ...row.counts } };
}

/** Queues a run, or gives the one of this profile that is not over. */
export async function createRun(sql: Sql, run: NewRun): Promise<{ run: Run } | { running: Run }> {
  const { profileId, provider, trigger, limit = null, options = null } = run;
  for (;;) {
    const made = await transaction(
      sql,
      (tx) => tx<Run[]>`
        insert into scraper_runs as r (profile_id, provider, trigger, item_limit, options)
        values (${profileId}, ${provider}, ${trigger}, ${limit}, ${jsonText(options)}::text::jsonb)
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

/** Takes the oldest run that waits, or whose owner has been silent for `leaseS` seconds, with the frontier rows in that owner's hands. */
export async function claimRun(
  sql: Sql,
  owner: string,
  { leaseS, profileIds }: { leaseS: number; profileIds?: readonly string[] | undefined },
): Promise<Run | undefined> {
  const [run] = await sql<Run[]>`
    with found as (
      select run_id, profile_id, owner from scraper_runs
      where (status = 'queued' or (status = 'running' and beat_at < now() - make_interval(secs => ${leaseS})))
        ${profileIds === undefined ? sql`` : sql`and profile_id = any(${[...profileIds]}::text[])`}
      order by run_id limit 1
      for update skip locked
    ), freed as (
      update scraper_frontier f set owner = null, due_at = now() from found
      where f.profile_id = found.profile_id and f.state = 'waiting' and f.owner = found.owner
    )
    update scraper_runs r
    set status = 'running', owner = ${owner}, beat_at = now(), started_at = coalesce(r.started_at, now())
    from found where r.run_id = found.run_id
    returning ${fields(sql)}`;
  return run && whole(run);
}

/** Says that the owner is alive. False when the run is no longer its own. */
export async function beatRun(sql: Sql, runId: string, owner: string, counts?: RunCounts): Promise<boolean> {
  const result = await sql`
    update scraper_runs set beat_at = now()
      ${counts === undefined ? sql`` : sql`, counts = ${jsonText(counts)}::text::jsonb`}
    where run_id = ${runId} and owner = ${owner} and status = 'running'`;
  return result.count > 0;
}

/** Ends a run. False when it is no longer the owner's. */
export async function finishRun(
  sql: Sql,
  runId: string,
  owner: string,
  end: { status: Exclude<RunStatus, "queued" | "running">; counts: RunCounts; error?: string | null | undefined },
): Promise<boolean> {
  const error = end.error == null ? null : storableText(end.error).slice(0, REASON_LENGTH);
  const result = await sql`
    update scraper_runs
    set status = ${end.status}, counts = ${jsonText(end.counts)}::text::jsonb, error = ${error},
      finished_at = coalesce(finished_at, now())
    where run_id = ${runId} and owner = ${owner} and status in ('running', ${end.status})`;
  return result.count > 0;
}

/** Gives a run back to be claimed again, with the frontier rows in the owner's hands. False when it is no longer the owner's. */
export async function giveBackRun(sql: Sql, runId: string, owner: string, counts?: RunCounts): Promise<boolean> {
  const rows = await sql`
    with freed as (
      update scraper_runs r set status = 'queued', owner = null, beat_at = null
        ${counts === undefined ? sql`` : sql`, counts = ${jsonText(counts)}::text::jsonb`}
      where run_id = ${runId} and owner = ${owner} and status = 'running'
      returning profile_id
    ), rows as (
      update scraper_frontier f set owner = null, due_at = now() from freed
      where f.profile_id = freed.profile_id and f.state = 'waiting' and f.owner = ${owner}
    )
    select from freed`;
  return rows.length > 0;
}

/** The run of this id, undefined when there is none. */
export async function getRun(sql: Sql, runId: string): Promise<Run | undefined> {
  if (!isUuid(runId)) return undefined;
  const [run] = await sql<Run[]>`select ${fields(sql)} from scraper_runs r where run_id = ${runId}`;
  return run && whole(run);
}

/** Runs, newest first, page by page. Throws InvalidCursorError. */
export async function listRuns(sql: Sql, filter: RunFilter): Promise<{ runs: Run[]; nextCursor: string | null }> {
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
export async function latestRuns(sql: Sql, profileIds: readonly string[]): Promise<Map<string, Run>> {
  return byProfile(
    await sql<Run[]>`
      select ${fields(sql)} from unnest(${[...profileIds]}::text[]) as p (id),
        lateral (select * from scraper_runs where profile_id = p.id order by run_id desc limit 1) r`,
  );
}

/** The newest run of each profile that ended with an error. */
export async function lastErrors(sql: Sql, profileIds: readonly string[]): Promise<Map<string, Run>> {
  return byProfile(
    await sql<Run[]>`
      select ${fields(sql)} from unnest(${[...profileIds]}::text[]) as p (id),
        lateral (
          select * from scraper_runs where profile_id = p.id and error is not null order by run_id desc limit 1) r`,
  );
}

/** How many runs are in each state, by profile. */
export async function countRuns(sql: Sql): Promise<{ profileId: string; status: RunStatus; count: number }[]> {
  return await sql<{ profileId: string; status: RunStatus; count: number }[]>`
    select profile_id as "profileId", status, count(*)::int as count
    from scraper_runs group by profile_id, status order by profile_id, status`;
}

function byProfile(rows: readonly Run[]): Map<string, Run> {
  return new Map(rows.map((run) => [run.profileId, whole(run)]));
}
