import { iso } from "./articles/columns.ts";
import { codeOf, type Sql, type Tx } from "./client.ts";
import { claiming, giveBack, heartbeat, type Lease, type LeaseTable, MAX_ATTEMPTS, unheld } from "./lease.ts";
import { onceConnected, repeating, RunAgain, transaction } from "./transaction.ts";
import { type Json, jsonText } from "./values.ts";

/** Makes the statements over runs of pulls. */
function pullRunStore(sql: Sql) {
  return {
    start: (request: PullRequest, lease: Lease) => startPull(sql, request, lease),
    claim: (lease: Lease) => onceConnected(() => claimPull(sql, lease)),
    heartbeat: (runId: string, lease: Lease, counts: PullCounts) =>
      repeating(() => heartbeatPull(sql, runId, lease, counts)),
    release: (runId: string, owner: string) => repeating(() => releasePull(sql, runId, owner)),
    finish: (runId: string, owner: string, end: PullEnd) => finishPull(sql, runId, owner, end),
  };
}

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

type PullRequest = { sourceKey: string; provider: string | null; trigger: PullTrigger; options?: PullOptions };

/** Says how a pull ended. `state`, when given, is kept for the next pull of its source. */
type PullEnd = {
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
type RunRow = Omit<PullRun, "counts"> & { counts: Partial<PullCounts> };

/** The select list of a run of table `pull_runs` named `r`. */
function runFields(sql: Sql | Tx) {
  return sql.unsafe(`r.run_id as "runId", r.source_key as "sourceKey", r.provider, r.trigger, r.status, r.options, r.counts,
    r.error, r.attempts, ${iso("r.created_at")} as "createdAt", ${iso("r.started_at")} as "startedAt",
    ${iso("r.finished_at")} as "finishedAt"`);
}

/** Rows of {@link runFields} as runs. */
function runsOf(rows: readonly RunRow[]): PullRun[] {
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
async function startPull(
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
async function claimPull(sql: Sql, lease: Lease): Promise<PullRun | undefined> {
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
async function heartbeatPull(sql: Sql, runId: string, lease: Lease, counts: PullCounts): Promise<boolean> {
  const options = { where: sql`and w.run_id = ${runId}`, set: sql`, counts = ${jsonText(counts)}::text::jsonb` };
  return (await heartbeat(sql, PULLS, lease, options)) > 0;
}

/** Gives a pull back, to be claimed again as if it had not been. */
async function releasePull(sql: Sql, runId: string, owner: string): Promise<boolean> {
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
async function finishPull(sql: Sql, runId: string, owner: string, end: PullEnd): Promise<boolean> {
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

/** The pull of this id, undefined when there is none. */
async function getPull(sql: Sql, runId: string): Promise<PullRun | undefined> {
  const [run] = runsOf(await sql<RunRow[]>`select ${runFields(sql)} from pull_runs r where run_id = ${runId}`);
  return run;
}

/** Pulls, newest first. */
async function listPulls(
  sql: Sql,
  { sourceKey, limit = 50 }: { sourceKey?: string; limit?: number } = {},
): Promise<PullRun[]> {
  return runsOf(
    await sql<RunRow[]>`
    select ${runFields(sql)} from pull_runs r
    where ${sourceKey === undefined ? sql`true` : sql`source_key = ${sourceKey}`}
    order by created_at desc, run_id desc limit ${limit}`,
  );
}

/** The last pull of every source that was ever asked for one, by the source's key. */
async function latestPulls(sql: Sql): Promise<Map<string, PullRun>> {
  const runs = runsOf(
    await sql<RunRow[]>`
    select distinct on (source_key) ${runFields(sql)} from pull_runs r order by source_key, created_at desc`,
  );
  return new Map(runs.map((run) => [run.sourceKey, run]));
}

/** Returns what the adapter kept of the last complete pull of a source. */
async function pullState(sql: Sql, sourceKey: string): Promise<Json | undefined> {
  const [row] = await sql<{ state: Json }[]>`select state from pull_states where source_key = ${sourceKey}`;
  return row?.state;
}

/** Drops pulls that ended more than `olderThanS` seconds ago, but never the last one of a source. Returns how many. */
async function prunePulls(sql: Sql, { olderThanS }: { olderThanS: number }): Promise<number> {
  const result = await sql`
    delete from pull_runs r where finished_at < now() - make_interval(secs => ${olderThanS})
      and exists (select from pull_runs n where n.source_key = r.source_key and n.created_at > r.created_at)`;
  return result.count;
}

/** Serialises the decision which sources are due; any number will do. */
const DUE_LOCK = 4_922_051_776;

/**
 * Asks for a pull: it is kept until a worker takes it. While the same already waits, that one is returned, `fresh`
 * false.
 */
async function requestPull(
  sql: Sql,
  { sourceKey, provider, trigger, options = {} }: PullRequest,
): Promise<{ run: PullRun; fresh: boolean }> {
  const optionsText = jsonText(options);
  return await transaction(sql, async (tx) => {
    const [made] = runsOf(
      await tx<RunRow[]>`
      insert into pull_runs as r (source_key, provider, trigger, status, options)
      values (${sourceKey}, ${provider}, ${trigger}, 'queued', ${optionsText}::text::jsonb)
      on conflict (source_key, options) where status = 'queued' do nothing
      returning ${runFields(tx)}`,
    );
    if (made !== undefined) return { run: made, fresh: true };
    const [known] = runsOf(
      await tx<RunRow[]>`
      select ${runFields(tx)} from pull_runs r
      where source_key = ${sourceKey} and options = ${optionsText}::text::jsonb and status = 'queued'`,
    );
    // A worker took it in this instant.
    if (known === undefined) throw new RunAgain();
    return { run: known, fresh: false };
  });
}

/**
 * Asks for a pull of every active source of these providers that was not asked for within `everyS` seconds and is not
 * being pulled. Returns how many. Two processes that ask at once ask once.
 */
async function requestDuePulls(
  sql: Sql,
  { providers, everyS }: { providers: readonly string[]; everyS: number },
): Promise<number> {
  return await transaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${DUE_LOCK})`;
    const result = await tx`
      insert into pull_runs (source_key, provider, trigger, status)
      select key, provider, 'schedule', 'queued' from sources s
      where active and provider = any(${[...providers]}::text[])
        and not exists (
          select from pull_runs r where r.source_key = s.key and (
            r.status = 'running'
            or r.options = '{}' and (r.status = 'queued'
              -- One of the future was asked for while a clock ran ahead.
              or r.created_at between now() - make_interval(secs => ${everyS}) and now() + interval '5 minutes')))
      order by key
      on conflict do nothing`;
    return result.count;
  });
}

/**
 * Returns what the pull side keeps: pulls asked for, in flight and done, the lock of each source, and what adapters
 * remember.
 */
export function pullStore(sql: Sql) {
  return {
    request: (request: PullRequest) => requestPull(sql, request),
    requestDue: (options: { providers: readonly string[]; everyS: number }) => requestDuePulls(sql, options),
    ...pullRunStore(sql),
    get: (runId: string) => repeating(() => getPull(sql, runId)),
    list: (filter?: { sourceKey?: string; limit?: number }) => repeating(() => listPulls(sql, filter)),
    latest: () => repeating(() => latestPulls(sql)),
    state: (sourceKey: string) => repeating(() => pullState(sql, sourceKey)),
    prune: (options: { olderThanS: number }) => prunePulls(sql, options),
  };
}
