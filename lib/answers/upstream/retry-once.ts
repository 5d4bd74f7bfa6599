import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../std/mod.ts";
import { LlmError } from "../error.ts";

/** The wait before the second try, where the server asks for none. */
const WAIT = { baseMs: 250, maxMs: 250 };
/** A server that asks for a longer wait is not waited for. */
const MAX_WAIT_MS = 2_000;

/**
 * What `make` gives; when it fails in a way that may be over soon, and nothing has come of it yet, it is made once
 * more. Throws the last error; the signal's reason when that aborts.
 */
export async function* retryOnce<T>(make: () => AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  let begun = false;
  try {
    for await (const each of make()) {
      begun = true;
      yield each;
    }
    return;
  } catch (error) {
    signal.throwIfAborted();
    if (begun || !(error instanceof LlmError) || !error.retryable) throw error;
    const waitMs = error.retryAfterMs ?? backoffMs(0, WAIT);
    if (waitMs > MAX_WAIT_MS) throw error;
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  yield* make();
}
