import { iso } from "./articles/columns.ts";
import { codeOf, type Sql, type Tx } from "./client.ts";
import { claiming, giveBack, heartbeat, type Lease, type LeaseTable, MAX_ATTEMPTS, unheld } from "./lease.ts";
import { RunAgain, transaction } from "./transaction.ts";
import { type Json, jsonText } from "./values.ts";

/** Says who asked for a pull. */
export type PullTrigger = "schedule" | "cli" | "api";

/** `partial`: not all of it came, but something did. */
type PullStatus = "queued" | "running" | "succeeded" | "partial" | "failed";

/**
 * Holds what became of the items that a pull met; `conflict`: known under the same pair with other content, changed at
 * its source.
 */
export type PullCounts = {
  discovered: number;
  accepted: number;
  duplicate: number;
  conflict: number;
  failed: number;
};

/**
 * Holds what the adapter is asked for beyond its source: a query, dates, a limit. `{}`: what the source is pulled for
 * regularly.
 */
export type PullOptions = { [key: string]: Json };

/** The record of one pull. Times are ISO 8601 in UTC. */
export type PullRun = {
  /** UUID v7. */
  runId: string;
  sourceKey: string;
  /** The source's provider when the pull was asked for. */
  provider: string | null;
  trigger: PullTrigger;
  status: PullStatus;
  options: PullOptions;
  counts: PullCounts;
  error: string | null;
  /** Says how often the pull was started. */
  attempts: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
};

/** Holds what is asked for. */
export type PullRequest = { sourceKey: string; provider: string | null; trigger: PullTrigger; options?: PullOptions };

/** Says how a pull ended. `state`, when given, is kept for the next pull of its source. */
export type PullEnd = {
  status: "succeeded" | "partial" | "failed";
  counts: PullCounts;
  error?: string | undefined;
  state?: Json | undefined;
};

/** The counts of a pull that has met nothing yet. */
export const NO_PULL_COUNTS: Readonly<PullCounts> = {
  discovered: 0,
  accepted: 0,
  duplicate: 0,
  conflict: 0,
  failed: 0,
};

/** A row of {@link runFields}. */
export type RunRow = Omit<PullRun, "counts"> & { counts: Partial<PullCounts> };

/** The select list of a run of table `pull_runs` named `r`. */
export function runFields(sql: Sql | Tx) {
  return sql.unsafe(`r.run_id as "runId", r.source_key as "sourceKey", r.provider, r.trigger, r.status, r.options, r.counts,
    r.error, r.attempts, ${iso("r.created_at")} as "createdAt", ${iso("r.started_at")} as "startedAt",
    ${iso("r.finished_at")} as "finishedAt"`);
}

/** Rows of {@link runFields} as runs. */
export function runsOf(rows: readonly RunRow[]): PullRun[] {
  return rows.map((row) => ({ ...row, counts: { ...NO_PULL_COUNTS, ...row.counts } }));
}

/** An error as it is kept: one text without U+0000, of at most 1,000 characters. */
function keptError(error: string | undefined): string | null {
  return error === undefined ? null : error.replaceAll("\u0000", "").toWellFormed().slice(0, 1_000);
}

const PULLS: LeaseTable = { name: "pull_runs", key: ["run_id"], open: "w.status in ('queued', 'running')" };

/**
 * Begins a pull at once and returns it, or, `running`, the one that holds the source. One that is left of a process
 * that has ended is closed as failed.
 */
export async function startPull(
  sql: Sql,
  { sourceKey, provider, trigger, options = {} }: PullRequest,
  lease: Lease,
): Promise<{ run: PullRun } | { running: PullRun }> {
  return await transaction(sql, async (tx) => {
    await tx`
      update pull_runs w set status = 'failed', error = 'its process ended', finished_at = now()
      where source_key = ${sourceKey} and ${silent(tx)}`;
    const [run] = runsOf(
      await tx<RunRow[]>`
      insert into pull_runs as r (
        source_key, provider, trigger, status, options, attempts, started_at, lease_owner, lease_until)
      values (${sourceKey}, ${provider}, ${trigger}, 'running', ${jsonText(options)}::text::jsonb, 1, now(),
        ${lease.owner}, now() + make_interval(secs => ${lease.leaseS}))
      on conflict (source_key) where status = 'running' do nothing
      returning ${runFields(tx)}`,
    );
    if (run !== undefined) return { run };
    const [running] = runsOf(
      await tx<RunRow[]>`
      select ${runFields(tx)} from pull_runs r where source_key = ${sourceKey} and status = 'running'`,
    );
    // It ended in this instant.
    if (running === undefined) throw new RunAgain();
    return { running };
  });
}

/**
 * Claims the oldest pull that waits and whose source nobody holds, or one whose lease has ended. No pull goes to two
 * owners, and no two pulls of a source are in flight at once. One that was begun five times without an end is closed as
 * failed.
 */
export async function claimPull(sql: Sql, lease: Lease): Promise<PullRun | undefined> {
  await sql`
    update pull_runs w set status = 'failed', finished_at = now(), error = 'given up: its process ended each time'
    where ${silent(sql)} and attempts >= ${MAX_ATTEMPTS}`;
  try {
    const [run] = runsOf(
      await sql<RunRow[]>`
      with ${claiming(sql, PULLS, lease, {
        where: sql`and (w.status = 'running' or not exists (
          select from pull_runs o where o.source_key = w.source_key and o.status = 'running'))`,
        orderBy: "w.created_at",
        limit: 1,
        set: sql`, status = 'running', counts = '{}', started_at = coalesce(w.started_at, now())`,
      })}
      select ${runFields(sql)} from claimed r`,
    );
    return run;
  } catch (error) {
    // Somebody took another pull of the same source in this instant: there is nothing to take of it now.
    if (codeOf(error) === "23505") return undefined;
    throw error;
  }
}

/** Renews the lease of a pull, with the counts so far. False: somebody else has it now, and it must be left alone. */
export async function heartbeatPull(sql: Sql, runId: string, lease: Lease, counts: PullCounts): Promise<boolean> {
  const options = { where: sql`and w.run_id = ${runId}`, set: sql`, counts = ${jsonText(counts)}::text::jsonb` };
  return (await heartbeat(sql, PULLS, lease, options)) > 0;
}

/** Gives a pull back, to be claimed again as if it had not been. */
export async function releasePull(sql: Sql, runId: string, owner: string): Promise<boolean> {
  try {
    const result = await sql`
      update pull_runs w set status = 'queued', ${giveBack(sql)}
      where run_id = ${runId} and lease_owner = ${owner} and status = 'running'`;
    return result.count === 1;
  } catch (error) {
    if (codeOf(error) !== "23505") throw error;
    const result = await sql`
      update pull_runs set status = 'failed', error = 'stopped; the same waits already', finished_at = now()
      where run_id = ${runId} and lease_owner = ${owner} and status = 'running'`;
    return result.count === 1;
  }
}

/**
 * Closes a pull and, in the same transaction, keeps its adapter's state. False: somebody else has it, and nothing was
 * kept.
 */
export async function finishPull(sql: Sql, runId: string, owner: string, end: PullEnd): Promise<boolean> {
  const { status, counts, error, state } = end;
  return await transaction(
    sql,
    async (tx) => {
      const [run] = await tx<{ sourceKey: string }[]>`
        update pull_runs set status = ${status}, counts = ${jsonText(counts)}::text::jsonb, error = ${keptError(error)},
          lease_until = null, finished_at = now()
        where run_id = ${runId} and lease_owner = ${owner} and (status = 'running' or status = ${status})
        returning source_key as "sourceKey"`;
      if (run === undefined) return false;
      if (state === undefined) return true;
      await tx`
        insert into pull_states (source_key, state) values (${run.sourceKey}, ${jsonText(state)}::text::jsonb)
        on conflict (source_key) do update set state = excluded.state, updated_at = now()`;
      return true;
    },
    { repeatable: true },
  );
}

/** A pull in flight whose lease has ended. */
function silent(sql: Sql | Tx) {
  return sql`(w.status = 'running' and ${unheld(sql)})`;
}
