/** Tells whether `url` answers 2xx within `timeoutMs`. Never throws. */
export async function answers(url: string, timeoutMs = 1_000): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/**
 * Resolves once `url` answers 2xx; rejects with the signal's reason when it aborts first. Asks every `everyMs`, and
 * less and less often up to `atLeastMs`.
 */
export async function untilAnswers(url: string, signal: AbortSignal, everyMs = 25, atLeastMs = everyMs): Promise<void> {
  for (let waitMs = everyMs; !(await answers(url)); waitMs = Math.min(2 * waitMs, atLeastMs)) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    signal.throwIfAborted();
  }
}

/** Returns the names of what a service waits for, as its `/readyz` at `url` says; none when it is ready or silent. */
export async function missingIn(url: string): Promise<string[]> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    const body: { deps?: Record<string, unknown> } = Object(await response.json());
    return response.ok
      ? []
      : Object.entries(body.deps ?? {}).flatMap(([name, state]) => (state === "fail" ? [name] : []));
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}
