import { createRunner, every, type Logger } from "@isnad/lib/service/process";
import { createCheckThread, createEnqueuer } from "@isnad/lib/ingest";
import type { Queues } from "@isnad/lib/work/queue";
import type { Store } from "@isnad/lib/store";
import type { ThreadsState } from "@isnad/lib/service/threads";
import { type PullDeps, pullWork } from "./run-pull.ts";

/** Says how a worker pulls sources: the adapters, and the options of the same names. */
export type PullerSettings = Pick<PullDeps, "adapters" | "leaseS" | "requireKnownSource"> & {
  /** Seconds between two regular pulls of a source; 0: none. */
  intervalS: number;
  /** Pulls at a time. */
  concurrency: number;
};

/** Takes pulls until it is stopped. */
export type Puller = {
  /** Takes no more, and gives back what is in flight. */
  stop(): Promise<void>;
};

/** Providers whose active sources are pulled regularly. */
const SCHEDULED_PROVIDERS: readonly string[] = ["rss", "newsdata", "scraper"];

/**
 * Starts taking pulls: those asked for, those whose process has ended, and, every so often, those of the active
 * sources. Any number of processes may do so at once: the database gives each pull to one of them.
 */
export function startPuller(
  deps: PullDeps,
  { intervalS, concurrency, pollMs }: Pick<PullerSettings, "intervalS" | "concurrency"> & { pollMs: number },
): Puller {
  const { store, logger, instance, leaseS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const runner = createRunner(pullWork(deps), { logger, instance, leaseS, concurrency, pollMs });
  const requestDue = async (): Promise<void> => {
    const due = await store.pulls.requestDue({ providers: SCHEDULED_PROVIDERS, everyS: intervalS });
    if (due > 0) runner.wake();
  };
  const running = [
    runner.run(signal),
    ...(intervalS > 0 ? [every(pollMs, "due pulls", requestDue, logger, signal)] : []),
  ];
  return {
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await Promise.all(running);
    },
  };
}

/**
 * Starts the pulls of a worker process, with an admission of their own; `threads` says how the thread stands that
 * checks items.
 */
export function startPulls(
  settings: PullerSettings,
  deps: Pick<PullDeps, "onEnd" | "onResults" | "instance"> & {
    store: Store;
    queues: Pick<Queues, "add">;
    logger: Logger;
    pollMs: number;
  },
): Puller & { threads(): ThreadsState } {
  const { intervalS, concurrency, ...own } = settings;
  const { queues, pollMs, ...rest } = deps;
  const thread = createCheckThread({ logger: deps.logger });
  const enqueuer = createEnqueuer(queues, deps.logger);
  const puller = startPuller({ ...rest, ...own, thread, enqueuer }, { intervalS, concurrency, pollMs });
  return {
    threads: () => thread.threads(),
    async stop() {
      await puller.stop();
      await enqueuer.settled();
      await thread.close();
    },
  };
}
