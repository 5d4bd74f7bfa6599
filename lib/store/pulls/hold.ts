import type { Sql, Tx } from "../client.ts";
import { codeOf } from "../errors.ts";
import { jsonText } from "../json.ts";
import { RunAgain, transaction } from "../transaction.ts";
import { keptError, type RunRow, runFields, runsOf } from "./rows.ts";
import type { PullCounts, PullEnd, PullRequest, PullRun } from "./types.ts";

/** Who holds a pull, and for how long it counts as his after his last sign of life. */
export type Holder = { owner: string; leaseS: number };

/** A pull whose process ended this often while it was in work is not begun again. */
const MOST_ATTEMPTS = 5;

/**
 * Begins a pull at once and returns it, or, `running`, the one that holds the source. One that is left of a process that has
 * ended is closed as failed.
 */
export async function startPull(
  sql: Sql,
  { sourceKey, provider, trigger, options = {} }: PullRequest,
  { owner, leaseS }: Holder,
): Promise<{ run: PullRun } | { running: PullRun }> {
  return await transaction(sql, async (tx) => {
    await tx`
      update pull_runs r set status = 'failed', error = 'its process ended', finished_at = now()
      where source_key = ${sourceKey} and ${silent(tx, leaseS)}`;
    const [run] = runsOf(
      await tx<RunRow[]>`
      insert into pull_runs as r (source_key, provider, trigger, status, options, owner, attempts, started_at, beaten_at)
      values (${sourceKey}, ${provider}, ${trigger}, 'running', ${jsonText(options)}::text::jsonb, ${owner}, 1, now(), now())
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
 * Takes the oldest pull that waits and whose source nobody holds, or one whose owner has been silent for longer than the
 * lease. No pull goes to two owners, and no two pulls of a source are in work at once.
 */
export async function claimPull(sql: Sql, { owner, leaseS }: Holder): Promise<PullRun | undefined> {
  await sql`
    update pull_runs r set status = 'failed', finished_at = now(), error = 'given up: its process ended each time'
    where ${silent(sql, leaseS)} and attempts >= ${MOST_ATTEMPTS}`;
  try {
    const [run] = runsOf(
      await sql<RunRow[]>`
      with next as (
        select run_id from pull_runs r
        where ${silent(sql, leaseS)} or (status = 'queued' and not exists (
          select from pull_runs o where o.source_key = r.source_key and o.status = 'running'))
        order by created_at limit 1 for update skip locked)
      update pull_runs r set status = 'running', owner = ${owner}, attempts = attempts + 1, counts = '{}', beaten_at = now(),
        started_at = coalesce(started_at, now())
      from next where r.run_id = next.run_id
      returning ${runFields(sql)}`,
    );
    return run;
  } catch (error) {
    // Somebody took another pull of the same source in this instant: there is nothing to take of it now.
    if (codeOf(error) === "23505") return undefined;
    throw error;
  }
}

/** Gives a sign of life, with the counts so far. False: somebody else has the pull now, and it must be left alone. */
export async function beatPull(sql: Sql, runId: string, owner: string, counts: PullCounts): Promise<boolean> {
  const result = await sql`
    update pull_runs set beaten_at = now(), counts = ${jsonText(counts)}::text::jsonb
    where run_id = ${runId} and owner = ${owner} and status = 'running'`;
  return result.count === 1;
}

/** Gives a pull back, to be begun again by whoever takes it. */
export async function releasePull(sql: Sql, runId: string, owner: string): Promise<boolean> {
  try {
    const result = await sql`
      update pull_runs set status = 'queued', owner = null, beaten_at = null
      where run_id = ${runId} and owner = ${owner} and status = 'running'`;
    return result.count === 1;
  } catch (error) {
    if (codeOf(error) !== "23505") throw error;
    const result = await sql`
      update pull_runs set status = 'failed', error = 'stopped; the same waits already', finished_at = now()
      where run_id = ${runId} and owner = ${owner} and status = 'running'`;
    return result.count === 1;
  }
}

/** Closes a pull and, in the same transaction, keeps its adapter's state. False: somebody else has it, and nothing was kept. */
export async function finishPull(sql: Sql, runId: string, owner: string, end: PullEnd): Promise<boolean> {
  const { status, counts, error, state } = end;
  return await transaction(
    sql,
    async (tx) => {
      const [run] = await tx<{ sourceKey: string }[]>`
        update pull_runs set status = ${status}, counts = ${jsonText(counts)}::text::jsonb, error = ${keptError(error)},
          beaten_at = null, finished_at = now()
        where run_id = ${runId} and owner = ${owner} and (status = 'running' or status = ${status})
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

function silent(sql: Sql | Tx, leaseS: number) {
  return sql`(r.status = 'running' and r.beaten_at < now() - make_interval(secs => ${leaseS}))`;
}
