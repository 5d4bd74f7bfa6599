import type { LeasedWork, Logger } from "@isnad/lib/service/process";
import { type DetailedRun, isUnavailable, type Run, type RunCounts, type Store } from "@isnad/lib/store";
import type { CrawlProgress, Crawler, RunOutcome } from "../crawl/types.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { ScraperMetrics } from "../deps.ts";

/** Holds what the work on runs needs. */
export type RunDeps = {
  store: Pick<Store["scraper"]["runs"], "claim" | "giveUp" | "heartbeat" | "finish" | "release">;
  profiles: Pick<Profiles, "get">;
  crawler: Pick<Crawler, "crawl">;
  logger: Logger;
  metrics: Pick<ScraperMetrics, "runEnded" | "progressed">;
  /** Seconds without a heartbeat after which another process takes a run over. */
  leaseS: number;
};

/** Longest time between two heartbeats, in milliseconds: they also write the errors that users read. */
export const RUN_HEARTBEAT_MS = 2_000;

/** A run in progress: its progress, and the part of it that is written. */
type RunInWork = { readonly run: DetailedRun; progress: CrawlProgress; written: CrawlProgress["details"] };

/** Queued runs, and runs whose process has died, as leased work. */
export function runWork(deps: RunDeps): LeasedWork<RunInWork> {
  const { store, logger, metrics, leaseS } = deps;
  return {
    name: "runs",
    async claim(owner) {
      await giveUp(deps);
      const run = await store.claim(owner, { leaseS });
      return run && { run, progress: { counts: run.counts, details: run }, written: run };
    },
    async heartbeat(owner, held) {
      const { details } = held.progress;
      const news = details === held.written ? {} : { details };
      const isOwn = await store.heartbeat(held.run.runId, owner, { leaseS, ...news });
      if (isOwn) held.written = details;
      return isOwn;
    },
    async perform(held, { owner, signal }) {
      const { run } = held;
      const start = performance.now();
      logger.info(fieldsOf(run), "run started");
      const onProgress = (now: CrawlProgress): void => {
        metrics.progressed(run.profileId, held.progress, now);
        held.progress = now;
      };
      const outcome = await crawl(deps, held, { owner, signal, onProgress });
      const { details } = held.progress;
      const seconds = (performance.now() - start) / 1000;
      const s = Math.round(seconds * 10) / 10;
      if (!(await store.finish(run.runId, owner, { ...outcome, details }))) {
        logger.warn({ ...fieldsOf(run), s }, "the run's end is not written: another process has it");
        return 0;
      }
      const { status, counts, error } = outcome;
      onProgress({ counts, details });
      metrics.runEnded(run, outcome, seconds);
      logger[status === "failed" ? "warn" : "info"]({ ...fieldsOf(run), s, status, ...counts, error }, "run ended");
      return 0;
    },
    release: (owner, { run, progress }) => store.release(run.runId, owner, progress),
    fields: ({ run }) => fieldsOf(run),
  };
}

function fieldsOf({ runId, profileId, provider, trigger }: Run): Record<string, unknown> {
  return { run_id: runId, profile: profileId, provider, trigger };
}

/** Ends the runs that ended their process each time. */
async function giveUp({ store, logger, metrics }: RunDeps): Promise<void> {
  for (const run of await store.giveUp()) {
    const { attempts, error } = run;
    metrics.runEnded(run, { status: "failed" }, (Date.now() - Date.parse(run.startedAt ?? run.createdAt)) / 1000);
    logger.error({ ...fieldsOf(run), attempts, error }, "run given up");
  }
}

/** Returns the crawl's outcome; an error that is neither the signal's nor the database's ends the run. */
async function crawl(
  { crawler, profiles }: RunDeps,
  held: RunInWork,
  { owner, signal, onProgress }: { owner: string; signal: AbortSignal; onProgress: (progress: CrawlProgress) => void },
): Promise<RunOutcome> {
  const { run } = held;
  const profile = profiles.get(run.profileId);
  if (profile === undefined) return failed(`there is no profile ${run.profileId}`, run.counts);
  try {
    return await crawler.crawl(profile, { ...run, owner }, { signal, onProgress });
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) throw error;
    return failed(String(error), held.progress.counts);
  }
}

function failed(error: string, counts: RunCounts): RunOutcome {
  return { status: "failed", counts, error };
}
