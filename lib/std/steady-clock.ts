/**
 * Makes a function that tells whether the clock has held since its last call: time went on, and by `maxStepMs` at most.
 * The first call has nothing to compare with, and says no. What cannot be undone is not done on the word of a clock
 * that has just jumped.
 */
export function createSteadyClock(maxStepMs: number, now: () => number = Date.now): () => boolean {
  let before: number | undefined;
  return () => {
    const step = before === undefined ? Number.NaN : now() - before;
    before = now();
    return step >= 0 && step <= maxStepMs;
  };
}
