import { randomUUID } from "node:crypto";
import { abortable, backoffMs } from "../../std/mod.ts";
import { logFailure, type Logger } from "./logger.ts";

type HeartbeatOptions = {
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
type Heartbeat = {
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

/**
 * Work that is kept in the database and leased to one process at a time. An `owner` is unique to a claim.
 */
export type LeasedWork<T> = {
  /** Name of the work in log lines. */
  name: string;
  /** Claims a piece of work; undefined when there is none. */
  claim(owner: string): Promise<T | undefined>;
  /** Renews the lease of a claimed piece. Returns false when another owner has it now. */
  heartbeat(owner: string, taken: T): Promise<boolean>;
  /**
   * Does the work and settles it; returns the pause before the next piece, in milliseconds. A failure of the work
   * itself is settled, too. Rejects when it cannot be done now (the signal aborted, the database is away); then it is
   * released.
   */
  perform(taken: T, context: { owner: string; signal: AbortSignal }): Promise<number>;
  /** Gives back what is not settled, as if it had not been claimed. */
  release(owner: string, taken: T): Promise<unknown>;
  /** Fields that identify the piece in log lines. */
  fields?(taken: T): Record<string, unknown>;
};

/** Describes how a runner claims work. */
export type RunnerOptions = {
  logger: Logger;
  /** Name of this process; owners are this name and a UUID. */
  instance: string;
  /** Seconds without a heartbeat after which another owner may claim the work. */
  leaseS: number;
  /** Pieces of work at a time. Default 1. */
  concurrency?: number;
  /** Says how often to look for work without a call of `wake`, in milliseconds. */
  pollMs: number;
  /** See {@link startHeartbeat}. */
  heartbeatMs?: number;
};

/** Claims work and does it, one piece or several at a time. */
export type Runner = {
  /** Says that there may be work. */
  wake(): void;
  /** Does work until the signal aborts; resolves when what was in progress is settled or released. */
  run(signal: AbortSignal): Promise<void>;
};

/** Describes how a piece of work ended in this process. `lost`: another owner has it; `released`: it was given back. */
type WorkEnd = "settled" | "released" | "lost";

const BACKOFF = { baseMs: 500, maxMs: 30_000 };

/** Sets how far pauses vary: what began together and looks for work in step would need a connection each for it. */
const SPREAD = 0.2;
const spread = (ms: number): number => ms * (1 + SPREAD * (2 * Math.random() - 1));

/** Makes a runner; nothing is claimed before `run`. */
export function createRunner<T>(work: LeasedWork<T>, options: RunnerOptions): Runner {
  const { logger, instance, concurrency = 1, pollMs } = options;
  const notifier = new Notifier();
  const underWay = new Set<Promise<void>>();
  let releases = 0;

  const perform = async (taken: T, owner: string, signals: { stopping: AbortSignal; working: AbortSignal }) => {
    const { restMs, end } = await performLeased(work, { taken, owner }, options, signals.working);
    // Work that was released would fail again at once, so each release in a row waits longer.
    releases = end === "released" ? releases + 1 : 0;
    const wait = releases > 0 ? backoffMs(releases - 1, BACKOFF) : restMs;
    if (wait > 0) await pause(wait, signals.stopping);
  };

  return {
    wake: () => notifier.notify(),
    async run(stopping) {
      const stop = (): void => notifier.notify();
      stopping.addEventListener("abort", stop, { once: true });
      const working = new AbortController();
      let failures = 0;
      while (!stopping.aborted) {
        if (underWay.size >= concurrency) {
          await notifier.wait(pollMs);
          continue;
        }
        const owner = `${instance}/${randomUUID()}`;
        try {
          const taken = await work.claim(owner);
          failures = 0;
          if (taken === undefined) {
            await notifier.wait(spread(pollMs));
            continue;
          }
          // The stop came during the claim: release the work at once.
          if (stopping.aborted) working.abort(stopping.reason);
          const performing = perform(taken, owner, { stopping, working: working.signal }).finally(() => {
            underWay.delete(performing);
            notifier.notify();
          });
          underWay.add(performing);
        } catch (error) {
          logFailure(logger, error, { task: work.name }, "work could not be taken");
          await pause(backoffMs(failures++, BACKOFF), stopping);
        }
      }
      stopping.removeEventListener("abort", stop);
      // Only after the last claim has returned: it could claim again what is released meanwhile.
      working.abort(stopping.reason);
      await Promise.all(underWay);
    },
  };
}

/**
 * Does a claimed piece of work, renewing its lease meanwhile. When the signal aborts, the work is released. Never
 * rejects.
 */
export async function performLeased<T>(
  work: LeasedWork<T>,
  { taken, owner }: { taken: T; owner: string },
  { logger, leaseS, heartbeatMs }: Pick<RunnerOptions, "logger" | "leaseS" | "heartbeatMs">,
  signal: AbortSignal,
): Promise<{ end: WorkEnd; restMs: number }> {
  const fields = { task: work.name, ...work.fields?.(taken) };
  const heart = startHeartbeat({
    leaseS,
    everyMs: heartbeatMs,
    renew: () => work.heartbeat(owner, taken),
    onFailure: (error) => logFailure(logger, error, fields, "the heartbeat was not written"),
  });
  try {
    signal.throwIfAborted();
    const restMs = await work.perform(taken, { owner, signal: AbortSignal.any([signal, heart.lost]) });
    return { end: "settled", restMs };
  } catch (error) {
    if (heart.lost.aborted) {
      logger.warn(fields, "the lease was lost: the work is left to another process");
      return { end: "lost", restMs: 0 };
    }
    if (signal.aborted) logger.info(fields, "work is given back");
    else logFailure(logger, error, fields, "work could not be done and is given back");
    // What cannot be released now becomes free when its lease expires.
    await work
      .release(owner, taken)
      .catch((cause: unknown) => logFailure(logger, cause, fields, "work was not given back"));
    return { end: "released", restMs: 0 };
  } finally {
    await heart.stop();
  }
}

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    if (signal.aborted) done();
  });
}

/** Wakes one waiter; a notification that arrives while nobody waits is kept for the next one. */
export class Notifier {
  #notified = false;
  #wake: (() => void) | undefined;

  /** Wakes the waiter. */
  notify(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Resolves at the next notification, or after `atMostMs` milliseconds. */
  wait(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#notified = false;
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.#wake = done;
      if (this.#notified) done();
    });
  }
}

/**
 * Does the work, waits about `ms`, and so on until the signal aborts; resolves then, after what is under way. A
 * failure is logged and does not end it.
 */
export async function every(
  ms: number,
  name: string,
  work: () => Promise<unknown>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      // What was interrupted did not fail.
      if (signal.aborted) return;
      logFailure(logger, error, { task: name }, "task failed");
    }
    await pause(spread(ms), signal);
  }
}
