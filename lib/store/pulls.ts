import type { Sql } from "./client.ts";
import type { Lease } from "./lease.ts";
import {
  claimPull,
  finishPull,
  heartbeatPull,
  type PullCounts,
  type PullEnd,
  type PullRequest,
  type PullRun,
  releasePull,
  runFields,
  type RunRow,
  runsOf,
  startPull,
} from "./pull-runs.ts";
import { onceConnected, repeating, RunAgain, transaction } from "./transaction.ts";
import { type Json, jsonText } from "./values.ts";

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
    start: (request: PullRequest, lease: Lease) => startPull(sql, request, lease),
    claim: (lease: Lease) => onceConnected(() => claimPull(sql, lease)),
    heartbeat: (runId: string, lease: Lease, counts: PullCounts) =>
      repeating(() => heartbeatPull(sql, runId, lease, counts)),
    release: (runId: string, owner: string) => repeating(() => releasePull(sql, runId, owner)),
    finish: (runId: string, owner: string, end: PullEnd) => finishPull(sql, runId, owner, end),
    get: (runId: string) => repeating(() => getPull(sql, runId)),
    list: (filter?: { sourceKey?: string; limit?: number }) => repeating(() => listPulls(sql, filter)),
    latest: () => repeating(() => latestPulls(sql)),
    state: (sourceKey: string) => repeating(() => pullState(sql, sourceKey)),
    prune: (options: { olderThanS: number }) => prunePulls(sql, options),
  };
}
