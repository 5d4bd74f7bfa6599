import { randomUUID } from "node:crypto";
import { backoffMs } from "../std/index.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { logFailure } from "./log-failure.ts";
import type { Logger } from "./logger.ts";
import { Notifier, pause } from "./pause.ts";

/**
 * Work that is kept in the database and leased to one process at a time. An `owner` is a name that nobody else uses.
 */
export type LeasedWork<T> = {
  /** Name of the work in log lines. */
  name: string;
  /** Takes something to do; undefined when there is nothing. */
  claim(owner: string): Promise<T | undefined>;
  /** Renews the lease of what was taken. False: it is another's now. */
  heartbeat(owner: string, taken: T): Promise<boolean>;
  /**
   * Does it and settles it; returns how long to rest before the next, in milliseconds. What is wrong with the work
   * itself is settled, too. Rejects when it could not be done for now (the signal aborted, the database is away): it is
   * given back.
   */
  perform(taken: T, context: { owner: string; signal: AbortSignal }): Promise<number>;
  /** Gives back what of it is not settled, as if it had not been taken. */
  release(owner: string, taken: T): Promise<unknown>;
  /** What names it in the log. */
  fields?(taken: T): Record<string, unknown>;
};

/** How work is taken. */
export type RunnerOptions = {
  logger: Logger;
  /** Name of this process among those that run; an owner is this and a number of its own. */
  instance: string;
  /** Who has been silent for so long loses what he took, in seconds. */
  leaseS: number;
  /** Pieces of work at a time. Default 1. */
  concurrency?: number;
  /** How often to look for work that nobody announced, in milliseconds. */
  pollMs: number;
  /** See {@link startHeartbeat}. */
  heartbeatMs?: number;
};

/** Takes work and does it, one piece or several at a time. */
export type Runner = {
  /** Says that there may be something to do. */
  wake(): void;
  /** Does what there is until the signal aborts; resolves when what was under way is settled or given back. */
  run(signal: AbortSignal): Promise<void>;
};

/** How a piece of work ended here. `lost`: another process has it; `released`: it was given back. */
export type WorkEnd = "settled" | "released" | "lost";

const BACKOFF = { baseMs: 500, maxMs: 30_000 };

/** Makes a runner; nothing is taken before `run`. */
export function createRunner<T>(work: LeasedWork<T>, options: RunnerOptions): Runner {
  const { logger, instance, concurrency = 1, pollMs } = options;
  const notifier = new Notifier();
  const underWay = new Set<Promise<void>>();
  let releases = 0;

  const perform = async (taken: T, owner: string, signals: { stopping: AbortSignal; working: AbortSignal }) => {
    const { restMs, end } = await performLeased(work, { taken, owner }, options, signals.working);
    // Given back through no fault of the work, it would fail again at once.
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
            await notifier.wait(pollMs);
            continue;
          }
          // The stop came while the claim was on its way: it goes straight back.
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
      // Not before the last claim has come back: it would claim again what is given back meanwhile.
      working.abort(stopping.reason);
      await Promise.all(underWay);
    },
  };
}

/**
 * Does what was taken under this owner, renewing its lease meanwhile. When the signal aborts it is given back. Never
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
    // What cannot be given back now is free when its lease has ended.
    await work
      .release(owner, taken)
      .catch((cause: unknown) => logFailure(logger, cause, fields, "work was not given back"));
    return { end: "released", restMs: 0 };
  } finally {
    await heart.stop();
  }
}
