import { abortable } from "../../std/mod.ts";
import { pause } from "./pause.ts";

/** How a lease is renewed. */
export type HeartbeatOptions = {
  /** For how long the lease holds after each heartbeat, in seconds. */
  leaseS: number;
  /** Renews the lease. Returns false when another owner has it now. */
  renew: () => Promise<boolean>;
  /** From one heartbeat to the next, in milliseconds. Default: a third of the lease, so that one may be lost. */
  everyMs?: number | undefined;
  /** Called when a heartbeat could not be written. */
  onFailure?: (error: unknown) => void;
};

/** The heartbeats of one lease. */
export type Heartbeat = {
  /** Aborts when the lease is another's, or may be: then the work must be left alone. */
  lost: AbortSignal;
  /** Stops the heartbeats, and waits for one in flight, at most until the lease has expired. */
  stop(): Promise<void>;
};

/** Renews a lease until it is stopped or lost. */
export function startHeartbeat({ leaseS, renew, onFailure, ...options }: HeartbeatOptions): Heartbeat {
  const everyMs = Math.min(options.everyMs ?? Number.POSITIVE_INFINITY, (leaseS * 1000) / 3);
  const lost = new AbortController();
  const ended = new AbortController();
  let renewedAt = performance.now();
  const runOut = (): void => lost.abort(new Error("the lease has run out"));
  const run = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, ended.signal);
      if (ended.signal.aborted) return;
      const sentAt = performance.now();
      const leftMs = renewedAt + leaseS * 1000 - sentAt;
      // A connection that was cut without a word answers nothing, for minutes.
      const silence = setTimeout(runOut, Math.max(leftMs, everyMs));
      try {
        if (!(await abortable(renew(), lost.signal))) return lost.abort(new Error("the lease was lost"));
        renewedAt = sentAt;
      } catch (error) {
        onFailure?.(error);
        // Nobody can tell by now whether another process has taken it over.
        if (performance.now() - renewedAt > leaseS * 1000) runOut();
        if (lost.signal.aborted) return;
      } finally {
        clearTimeout(silence);
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
