import type { Logger } from "@isnad/lib/process";
import { type DetailedRun, isUnavailable, type RunCounts, type RunDetails, type Store } from "@isnad/lib/store";
import type { CrawlProgress, Crawler, RunOutcome } from "../crawl/types.ts";
import type { ScraperMetrics } from "../metrics.ts";
import type { Profile } from "../profiles/schema.ts";

/** What a run is executed with. */
export type ExecuteDeps = {
  store: Pick<Store["scraper"]["runs"], "heartbeat" | "finish" | "release">;
  crawler: Pick<Crawler, "crawl">;
  logger: Logger;
  metrics: Pick<ScraperMetrics, "progressed">;
  /** A run whose owner has been silent for so long is taken up by another, in seconds. */
  leaseS: number;
};

/** How the execution of a claimed run ended here: with an outcome, or it goes on elsewhere or later. */
export type Executed = { outcome: RunOutcome } | { outcome: undefined; reason: "stopped" | "taken" | "database" };

/** Heartbeats within a lease: one may be lost. */
const HEARTBEATS = 4;

/** They carry the counts that people read, so that they come this often at least, in milliseconds. */
const SHOW_MS = 2_000;

/**
 * Executes a run that `owner` has claimed, to its end. It renews its lease while it goes on, and stops at once when
 * the run turns out to be another's. When `signal` aborts, or the database is away, the run goes back, to be taken up again.
 */
export async function executeRun(
  { store, crawler, logger, metrics, leaseS }: ExecuteDeps,
  { run, owner, profile }: { run: DetailedRun; owner: string; profile: Profile | undefined },
  signal: AbortSignal,
): Promise<Executed> {
  const { runId } = run;
  const fields = { run_id: runId, profile: run.profileId };
  if (profile === undefined) {
    const outcome = failed(`there is no profile ${run.profileId}`, run.counts);
    return (await store.finish(runId, owner, outcome)) ? { outcome } : { outcome: undefined, reason: "taken" };
  }

  const lost = new AbortController();
  let counts: RunCounts = run.counts;
  let details: RunDetails = run;
  let written = details;
  let renewedAt = performance.now();
  const heartbeat = async (): Promise<void> => {
    try {
      const news = details === written ? {} : { details };
      const isOwn = await store.heartbeat(runId, owner, { leaseS, counts, ...news });
      if (!isOwn) return lost.abort();
      renewedAt = performance.now();
      written = news.details ?? written;
    } catch (error) {
      logger.warn({ ...fields, err: error }, "the run's heartbeat was not written");
      // Nobody can tell by now whether another process has taken it up.
      if (performance.now() - renewedAt > leaseS * 1000) lost.abort();
    }
  };
  const timer = setInterval(() => void heartbeat(), Math.min(SHOW_MS, (leaseS * 1000) / HEARTBEATS));
  const onProgress = (now: CrawlProgress): void => {
    metrics.progressed(run.profileId, { counts, details }, now);
    ({ counts, details } = now);
  };
  try {
    const outcome = await crawl(
      crawler,
      profile,
      { ...run, owner },
      { signal: AbortSignal.any([signal, lost.signal]), onProgress },
    );
    if (!(await store.finish(runId, owner, { ...outcome, details }))) return { outcome: undefined, reason: "taken" };
    metrics.progressed(run.profileId, { counts, details }, { counts: outcome.counts, details });
    return { outcome };
  } catch (error) {
    if (lost.signal.aborted) return { outcome: undefined, reason: "taken" };
    if (!signal.aborted) logger.error({ ...fields, err: error }, "the database failed in a run; it is taken up again");
    // What cannot be given back now is taken up when its lease has ended.
    await store.release(runId, owner, { counts, details }).catch((cause: unknown) => {
      logger.warn({ ...fields, err: cause }, "the run was not given back");
    });
    return { outcome: undefined, reason: signal.aborted ? "stopped" : "database" };
  } finally {
    clearInterval(timer);
  }
}

/** The crawl's outcome; an error that is neither the signal's nor the database's ends the run. */
async function crawl(
  crawler: Pick<Crawler, "crawl">,
  profile: Profile,
  run: DetailedRun & { owner: string },
  context: { signal: AbortSignal; onProgress: (progress: CrawlProgress) => void },
): Promise<RunOutcome> {
  let { counts } = run;
  const onProgress = (now: CrawlProgress): void => {
    ({ counts } = now);
    context.onProgress(now);
  };
  try {
    return await crawler.crawl(profile, run, { ...context, onProgress });
  } catch (error) {
    if (context.signal.aborted || isUnavailable(error)) throw error;
    return failed(String(error), counts);
  }
}

function failed(error: string, counts: RunCounts): RunOutcome {
  return { status: "failed", counts, error };
}
