const BASE_MS = 500;
const LONGEST_MS = 30_000;

/**
 * How long to wait before trying again, after `attempt` failures before this one: exponential, at least half of it and the
 * rest by chance ("equal jitter"), so that clients that failed together do not come back together. 30 s at most.
 */
export function backOffMs(attempt: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_MS, BASE_MS * 2 ** attempt);
  return whole / 2 + (whole / 2) * random();
}
