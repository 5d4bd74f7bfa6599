import { setTimeout as sleep } from "node:timers/promises";
import { type Backoff, backoffMs } from "./backoff.ts";

/** How often and after which failures something is tried again. */
export type RetryOptions = {
  backoff: Backoff;
  /** Tries in all. Default: no end. */
  attempts?: number;
  /** Whether a failure is retried. Default: always. */
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
