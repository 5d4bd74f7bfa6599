import { pause } from "./pause.ts";

/** How a lease is renewed. */
export type HeartbeatOptions = {
  /** For how long the lease holds after each heartbeat, in seconds. */
  leaseS: number;
  /** Renews it. False: the lease is another's now. */
  beat: () => Promise<boolean>;
  /** From one heartbeat to the next, in milliseconds. Default: a third of the lease, so that one may be lost. */
  everyMs?: number | undefined;
  /** Called when a heartbeat could not be written. */
  onFailure?: (error: unknown) => void;
};

/** The heartbeats of one lease. */
export type Heartbeat = {
  /** Aborts when the lease is another's, or may be: then the work must be left alone. */
  lost: AbortSignal;
  /** Ends them, and waits for one that is under way. */
  stop(): Promise<void>;
};

/** Renews a lease until it is stopped or lost. */
export function startHeartbeat({ leaseS, beat, onFailure, ...options }: HeartbeatOptions): Heartbeat {
  const everyMs = Math.min(options.everyMs ?? Number.POSITIVE_INFINITY, (leaseS * 1000) / 3);
  const lost = new AbortController();
  const ended = new AbortController();
  let renewedAt = performance.now();
  const run = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, ended.signal);
      if (ended.signal.aborted) return;
      const sentAt = performance.now();
      try {
        if (!(await beat())) return lost.abort(new Error("the lease was lost"));
        renewedAt = sentAt;
      } catch (error) {
        onFailure?.(error);
        // Nobody can tell by now whether another process has taken it over.
        if (performance.now() - renewedAt > leaseS * 1000) return lost.abort(new Error("the lease has run out"));
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
