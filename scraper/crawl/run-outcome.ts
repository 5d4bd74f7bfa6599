import type { DiscoverOutcome } from "./discover/discover.ts";
import type { CrawlCounts, RunOutcome } from "./types.ts";

/** What a run came to. */
export interface RunFacts {
  readonly counts: CrawlCounts;
  readonly discovered: DiscoverOutcome;
  readonly visits: {
    readonly retried: number;
    readonly failed: number;
    readonly outages: readonly string[];
  };
  /** The run's items by state: those that the API refused, and those that wait for it. */
  readonly items: { readonly failed: number; readonly pending: number };
  readonly pushError: string | null;
  /** Selectors that find nothing any more, one line each. */
  readonly warnings: readonly string[];
}

const MAX_PROBLEMS = 3;

/**
 * How a run ended: `succeeded` when nothing went wrong, `failed` when no listing could be read and no article was got,
 * `partial` in between: a source that answers has not failed, whatever becomes of single articles. The error names what
 * went wrong.
 */
export function outcomeOf({ counts, discovered, visits, items, pushError, warnings }: RunFacts): RunOutcome {
  const { failed: refused, pending } = items;
  const problems = [
    ...discovered.problems.slice(0, MAX_PROBLEMS),
    ...(discovered.problems.length > MAX_PROBLEMS
      ? [`${discovered.problems.length - MAX_PROBLEMS} more listings failed`]
      : []),
    ...visits.outages,
    ...(visits.failed === 0 ? [] : [`${visits.failed} articles failed`]),
    ...(visits.retried === 0 ? [] : [`${visits.retried} articles are to be tried again`]),
    ...(refused === 0 ? [] : [`the API refused ${refused} articles`]),
    ...(pending === 0 ? [] : [`${pending} articles wait for the API${pushError === null ? "" : `: ${pushError}`}`]),
    ...warnings,
  ];
  if (problems.length === 0) return { status: "succeeded", counts, error: null };
  const status = discovered.read === 0 && counts.extracted === 0 ? "failed" : "partial";
  return { status, counts, error: problems.join("; ") };
}
