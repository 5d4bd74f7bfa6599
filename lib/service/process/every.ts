import { logFailure } from "./log-failure.ts";
import type { Logger } from "./logger.ts";
import { pause } from "./pause.ts";

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
