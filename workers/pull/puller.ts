import { every, type Logger } from "@isnad/lib/process";
import { type PullDeps, takePull } from "./run-pull.ts";

/** Providers whose active sources are pulled regularly. */
const SCHEDULED_PROVIDERS: readonly string[] = ["rss", "newsdata", "scraper"];

/** How the pulls of a worker process are taken. */
export type PullerOptions = {
  deps: PullDeps;
  /** How often, in seconds; 0: never, only what is asked for is pulled. */
  intervalS: number;
  /** Pulls at a time. */
  concurrency: number;
  /** How often it is looked for pulls to take, in milliseconds. */
  pollMs: number;
  logger: Logger;
};

/** Takes pulls until it is stopped. */
export type Puller = {
  /** Takes no more, and gives back what is in work. */
  stop(): Promise<void>;
};

/**
 * Starts taking pulls: those asked for, those whose process has ended, and, every so often, those of the active sources. Any
 * number of processes may do so at once: the database gives each pull to one of them.
 */
export function startPuller({ deps, intervalS, concurrency, pollMs, logger }: PullerOptions): Puller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const releasing = new AbortController();
  const working = new Set<Promise<unknown>>();
  const look = async (): Promise<void> => {
    if (intervalS > 0) await deps.store.pulls.requestDue({ providers: SCHEDULED_PROVIDERS, everyS: intervalS });
    while (working.size < concurrency && !signal.aborted) {
      const taken = await takePull(deps, releasing.signal);
      if (taken === undefined) return;
      const work: Promise<unknown> = taken.done
        .catch((error) => logger.error({ err: error, run_id: taken.run.runId }, "pull"))
        .finally(() => working.delete(work));
      working.add(work);
    }
  };
  const looking = every(pollMs, "pulls", look, logger, signal);
  return {
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await looking;
      // Only now: what is given back while a claim is on its way would be claimed here again.
      releasing.abort(signal.reason);
      await Promise.all(working);
    },
  };
}
