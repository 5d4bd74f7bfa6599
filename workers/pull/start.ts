import type { Logger } from "@isnad/lib/process";
import { createCheckThread, createWaker } from "@isnad/lib/ingest";
import type { Queues } from "@isnad/lib/queue";
import type { Store } from "@isnad/lib/store";
import { type Puller, startPuller } from "./puller.ts";
import type { PullDeps } from "./run-pull.ts";

/** How a worker pulls sources: the adapters, and the options of the same names. */
export type PullerSettings = Pick<PullDeps, "adapters" | "leaseS" | "requireKnownSource"> & {
  /** Seconds between two regular pulls of a source; 0: none. */
  intervalS: number;
  /** Pulls at a time. */
  concurrency: number;
};

/** Starts the pulls of a worker process, with an admission of their own. */
export function startPulls(
  settings: PullerSettings,
  deps: Pick<PullDeps, "onEnd" | "onResults" | "instance"> & {
    store: Store;
    queues: Pick<Queues, "add">;
    logger: Logger;
    pollMs: number;
  },
): Puller {
  const { intervalS, concurrency, ...own } = settings;
  const { queues, pollMs, ...rest } = deps;
  const thread = createCheckThread();
  const waker = createWaker(queues, deps.logger);
  const puller = startPuller({
    deps: { ...rest, ...own, thread, waker },
    intervalS,
    concurrency,
    pollMs,
    logger: deps.logger,
  });
  return {
    async stop() {
      await puller.stop();
      await waker.settled();
      await thread.close();
    },
  };
}
