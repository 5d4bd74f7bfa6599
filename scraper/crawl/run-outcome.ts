import type { DiscoverOutcome } from "./discover.ts";
import type { CrawlCounts, RunOutcome } from "./types.ts";

/** What a run came to. */
export interface RunFacts {
  readonly counts: CrawlCounts;
  readonly found: DiscoverOutcome;
  readonly looked: {
    readonly tried: number;
    readonly retried: number;
    readonly failed: number;
    readonly gaveUp: string | null;
  };
  /** The run's items by state: those that the API refused, and those that wait for it. */
  readonly items: { readonly failed: number; readonly pending: number };
  readonly pushError: string | null;
}

const MAX_PROBLEMS = 3;

/**
 * How a run ended: `succeeded` when nothing went wrong, `failed` when no listing could be read and no article was got, `partial`
 * in between. The error names what went wrong.
 */
export function outcomeOf({ counts, found, looked, items, pushError }: RunFacts): RunOutcome {
  const { failed: refused, pending } = items;
  const problems = [
    ...found.problems.slice(0, MAX_PROBLEMS),
    ...(found.problems.length > MAX_PROBLEMS ? [`${found.problems.length - MAX_PROBLEMS} more listings failed`] : []),
    ...(looked.gaveUp === null ? [] : [looked.gaveUp]),
    ...(looked.failed === 0 ? [] : [`${looked.failed} articles failed`]),
    ...(looked.retried === 0 ? [] : [`${looked.retried} articles are to be tried again`]),
    ...(refused === 0 ? [] : [`the API refused ${refused} articles`]),
    ...(pending === 0 ? [] : [`${pending} articles wait for the API${pushError === null ? "" : `: ${pushError}`}`]),
  ];
  if (problems.length === 0) return { status: "succeeded", counts, error: null };
  const nothingRead = found.read === 0 || (looked.tried > 0 && looked.tried === looked.failed + looked.retried);
  const status = nothingRead && counts.extracted === 0 ? "failed" : "partial";
  return { status, counts, error: problems.join("; ") };
}
