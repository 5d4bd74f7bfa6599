import type { Sql, Tx } from "../client.ts";
import { jsonText } from "../json.ts";
import type { RunCounts } from "./types.ts";

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
