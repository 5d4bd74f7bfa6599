import { type Logger, logFailure } from "./logger.ts";

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
 * Does the work, waits `ms`, and so on until the signal aborts; resolves then, after what is under way. A failure is
 * logged and does not end it.
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
    await pause(ms, signal);
  }
}
