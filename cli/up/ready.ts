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

/** Resolves once `url` answers 2xx; rejects with the signal's reason when it aborts first. */
export async function untilAnswers(url: string, signal: AbortSignal, everyMs = 25): Promise<void> {
  while (!(await answers(url))) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    signal.throwIfAborted();
  }
}
