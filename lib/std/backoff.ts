/** How waits grow, in milliseconds. */
export type Backoff = {
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
 * How long to wait before trying again, in milliseconds, after `failures` failures before this one: exponential up to
 * `maxMs`, less a random share, so that clients that failed together do not come back together.
 */
export function backoffMs(
  failures: number,
  { baseMs, maxMs, factor = 2, jitter = 0.5 }: Backoff,
  random: () => number = Math.random,
): number {
  const whole = Math.min(maxMs, baseMs * factor ** Math.max(0, failures));
  return whole * (1 - jitter * (1 - random()));
}
