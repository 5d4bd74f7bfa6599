import { type Logger, pause } from "@isnad/lib/process";
import type { PullCounts, Store } from "@isnad/lib/store";

/** A pull as its holder knows it. */
export type Held = { runId: string; owner: string; leaseS: number };

/** The signs of life of a pull. */
export type Heartbeat = {
  /** Aborts when somebody else has taken the pull over, or may have: then it must be left alone. */
  lost: AbortSignal;
  /** Ends the beating, and waits for a beat that is under way. */
  stop(): Promise<void>;
};

/** Beats three times a lease, with the counts so far. */
export function startHeartbeat(
  store: Pick<Store, "pulls">,
  { runId, owner, leaseS }: Held,
  counts: () => PullCounts,
  logger: Logger,
): Heartbeat {
  const lost = new AbortController();
  const ended = new AbortController();
  let heardAt = performance.now();
  const run = async (): Promise<void> => {
    for (;;) {
      await pause((leaseS * 1000) / 3, ended.signal);
      if (ended.signal.aborted) return;
      const sentAt = performance.now();
      try {
        if (!(await store.pulls.beat(runId, owner, counts()))) return lost.abort();
        heardAt = sentAt;
      } catch (error) {
        logger.warn({ err: error, run_id: runId }, "the sign of life of a pull did not arrive");
        if (performance.now() - heardAt > leaseS * 1000) return lost.abort();
      }
    }
  };
  const running = run();
  return {
    lost: lost.signal,
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}
