/** Milliseconds to wait before try `attempt` (1 is the first repetition): doubling from `baseMs`, at most `maxMs`. */
export function backoffMs(attempt: number, { baseMs = 250, maxMs = 10_000 } = {}): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
}
