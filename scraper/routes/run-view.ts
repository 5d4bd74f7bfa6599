import type { DetailedRunView, RunView } from "@isnad/lib/contract";
import type { DetailedRun, Run } from "@isnad/lib/store";

/** Shows a run. */
export function runView(run: Run): RunView {
  const {
    runId,
    profileId,
    provider,
    status,
    trigger,
    attempts,
    limit,
    createdAt,
    startedAt,
    finishedAt,
    counts,
    selectors,
    error,
  } = run;
  return {
    run_id: runId,
    profile_id: profileId,
    provider,
    status,
    trigger,
    attempts,
    limit,
    created_at: createdAt,
    started_at: startedAt,
    finished_at: finishedAt,
    counts,
    selectors: { ...selectors },
    error,
  };
}

/** Shows a run with the reasons. */
export function detailedRunView(run: DetailedRun): DetailedRunView {
  return {
    ...runView(run),
    errors: run.errors.toReversed().map(({ url, reason, at, retried }) => ({ url, reason, at, retried })),
    feeds: run.feeds.map(({ url, kind, status, entries, tooOld, error }) => ({
      ...{ url, kind, status, entries },
      too_old: tooOld,
      error,
    })),
    too_old: { ...run.tooOld },
  };
}
