import type { ItemResult } from "@isnad/lib/ingest";

/** Counts of the statuses among the results. */
export type Summary = { request_id: string; received: number; accepted: number; failed: number; conflicts: number };

/** Counts the results. */
export function summarize(results: readonly ItemResult[], requestId: string): Summary {
  const summary: Summary = { request_id: requestId, received: results.length, accepted: 0, failed: 0, conflicts: 0 };
  for (const { status } of results) {
    if (status === "accepted") summary.accepted += 1;
    if (status === "failed") summary.failed += 1;
    if (status === "conflict") summary.conflicts += 1;
  }
  return summary;
}
