import { NO_COUNTS, NO_DETAILS } from "@isnad/lib/store";
import { createPush } from "./deliver.ts";
import { discoverAll, type DiscoverOutcome } from "./discover.ts";
import { createCategorizer } from "./make-item.ts";
import { RunReport, selectorWarnings } from "./run-report.ts";
import type { CrawlContext, CrawlCounts, CrawlParts, CrawlProfile, CrawlRun, RunOutcome } from "./types.ts";
import { visitAll } from "./visit-all.ts";

/** Holds what a run came to. */
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
 * Tells how a run ended: `succeeded` when nothing went wrong, `failed` when no listing could be read and no article was
 * got, `partial` in between: a source that answers has not failed, whatever becomes of single articles. The error names
 * what went wrong.
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

/** Most articles refused by the API whose reasons are kept. */
const MAX_REFUSED = 100;
const DEFAULT_MAX_ARTICLES = 200;
/** The longest wait for a host's turn: profiles may ask for ten minutes between two requests. */
const MAX_TURN_MS = 700_000;

/**
 * Goes through a run: listings, articles, delivery. Everything that is found is kept before the next step, so that a
 * run that was cut off anywhere is taken up by the next one. Rejects only when the database fails or the signal aborts.
 */
export async function crawlRun(
  parts: CrawlParts,
  profile: CrawlProfile,
  run: CrawlRun,
  { signal, requestId = run.runId, onProgress }: CrawlContext,
): Promise<RunOutcome> {
  const counts = { ...NO_COUNTS, ...run.counts };
  const report = new RunReport(parts.now, { ...NO_DETAILS, ...run });
  const progressed = () => onProgress?.({ counts: { ...counts }, details: report.details() });
  const shared = { signal, maxTurnMs: MAX_TURN_MS, report };
  const discovered = await discoverAll(parts, profile, { ...shared, runId: run.runId });
  counts.discovered += discovered.discovered;
  progressed();
  const push = createPush(parts, run.runId, { signal, requestId, profileId: profile.name });
  const categorize = createCategorizer(profile, parts.taxonomy);
  const visits = await visitAll({
    context: { ...shared, parts, profile, categorize },
    run,
    limit: (run.limit ?? profile.limits?.max_articles ?? DEFAULT_MAX_ARTICLES) - visitedBefore(run),
    counts,
    onVisited(kept) {
      if (kept) push.kept();
      progressed();
    },
  });
  const { items, error: pushError } = await push.end();
  const { failed } = counts;
  counts.duplicate = items.duplicate;
  counts.conflict = items.conflict;
  counts.sent = items.sent + items.duplicate + items.conflict + items.failed;
  counts.failed += items.failed;
  const refused = await parts.store.items.find({ runId: run.runId, state: "failed", limit: MAX_REFUSED });
  for (const { url, reason } of refused.toReversed()) report.error(url, reason ?? "refused by the API");
  progressed();
  const warnings = await warningsOf(parts, profile, run, report);
  return outcomeOf({ counts, discovered, visits: { ...visits, failed }, items, pushError, warnings });
}

/** Selectors that find nothing any more, over this run and those before it; none where no page was read. */
async function warningsOf(
  { store }: CrawlParts,
  { name }: CrawlProfile,
  { runId }: CrawlRun,
  report: RunReport,
): Promise<string[]> {
  const { selectors } = report.details();
  if (Object.keys(selectors).length === 0) return [];
  const before = await store.runs.recentSelectors([name], { except: runId });
  return selectorWarnings([selectors, ...(before.get(name) ?? [])]);
}

/** Articles that an earlier, interrupted part of the run has visited. */
function visitedBefore({ counts }: CrawlRun): number {
  return counts === undefined ? 0 : counts.extracted + counts.skipped + counts.failed;
}
