import type { Sql } from "../client.ts";
import type { Json } from "../json.ts";
import { type RunRow, runFields, runsOf } from "./rows.ts";
import type { PullRun } from "./types.ts";

/** The pull of this id, undefined when there is none. */
export async function getPull(sql: Sql, runId: string): Promise<PullRun | undefined> {
  const [run] = runsOf(await sql<RunRow[]>`select ${runFields(sql)} from pull_runs r where run_id = ${runId}`);
  return run;
}

/** Pulls, newest first. */
export async function listPulls(
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
export async function latestPulls(sql: Sql): Promise<Map<string, PullRun>> {
  const runs = runsOf(
    await sql<RunRow[]>`
    select distinct on (source_key) ${runFields(sql)} from pull_runs r order by source_key, created_at desc`,
  );
  return new Map(runs.map((run) => [run.sourceKey, run]));
}

/** What the adapter kept of the last complete pull of a source. */
export async function pullState(sql: Sql, sourceKey: string): Promise<Json | undefined> {
  const [row] = await sql<{ state: Json }[]>`select state from pull_states where source_key = ${sourceKey}`;
  return row?.state;
}

/** Drops pulls that ended more than `olderThanS` seconds ago, but never the last one of a source. Returns how many. */
export async function prunePulls(sql: Sql, { olderThanS }: { olderThanS: number }): Promise<number> {
  const result = await sql`
    delete from pull_runs r where finished_at < now() - make_interval(secs => ${olderThanS})
      and exists (select from pull_runs n where n.source_key = r.source_key and n.created_at > r.created_at)`;
  return result.count;
}
