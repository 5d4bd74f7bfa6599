import { setTimeout as sleep } from "node:timers/promises";

/** Describes how waits grow, in milliseconds. */
type Backoff = {
  /** The wait after the first failure. */
  baseMs: number;
  /** No wait is longer. */
  maxMs: number;
  /** Each wait is so many times the one before. Default 2. */
  factor?: number;
  /** The share of a wait that is left to chance, 0 to 1. Default 0.5 ("equal jitter"). */
  jitter?: number;
};

/**
 * Returns how long to wait before trying again, in milliseconds, after `failures` failures before this one: exponential
 * up to `maxMs`, less a random share, so that clients that failed together do not come back together.
 */
export function backoffMs(
  failures: number,
  { baseMs, maxMs, factor = 2, jitter = 0.5 }: Backoff,
  random: () => number = Math.random,
): number {
  const whole = Math.min(maxMs, baseMs * factor ** Math.max(0, failures));
  return whole * (1 - jitter * (1 - random()));
}

type RetryOptions = {
  backoff: Backoff;
  /** Tries in all. Default: no end. */
  attempts?: number;
  /** Tells whether a failure is retried. Default: always. */
  isRetryable?: (error: unknown) => boolean;
  /** Ends the waiting; nothing is tried after it. */
  signal?: AbortSignal;
  /** Called before each wait with the number of failures so far. */
  onRetry?: (error: unknown, failures: number) => void;
};

/** Does the work, and again after growing waits while it fails. Throws its last error, or AbortError from a wait. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { backoff, attempts = Number.POSITIVE_INFINITY, isRetryable = () => true, signal, onRetry } = options;
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (failures >= attempts || signal?.aborted || !isRetryable(error)) throw error;
      onRetry?.(error, failures);
      await sleep(backoffMs(failures - 1, backoff), undefined, signal && { signal });
    }
  }
}

/** Returns what `promise` settles to, unless `signal` aborts before: then it rejects with the signal's reason. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await Promise.race([aborted.promise, promise]).finally(() => signal.removeEventListener("abort", abort));
}
