import type { Sql } from "../client.ts";
import { jsonText } from "../json.ts";
import { RunAgain, transaction } from "../transaction.ts";
import { type RunRow, runFields, runsOf } from "./rows.ts";
import type { PullRequest, PullRun } from "./types.ts";

/** Serialises the decision which sources are due; any number will do. */
const DUE_LOCK = 4_922_051_776;

/**
 * Asks for a pull: it is kept until a worker takes it. While the same already waits, that one is returned, `fresh`
 * false.
 */
export async function requestPull(
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
export async function requestDuePulls(
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
