import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { NO_PULL_COUNTS, type PullCounts, type PullRun } from "./types.ts";

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
export function keptError(error: string | undefined): string | null {
  return error === undefined ? null : error.replaceAll("\u0000", "").toWellFormed().slice(0, 1_000);
}
