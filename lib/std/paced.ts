/** A read this quick is always made anew, in milliseconds. */
const QUICK_MS = 20;
/** Times as long as the read took, its value is given again. */
const REST = 10;

/** Which values may be given again, and the clock, in milliseconds. */
export type PacedOptions<T> = { keep?: (value: T) => boolean; now?: () => number };

/**
 * `read`, never under way twice, nor for more than a tenth of the time however often it is asked for: those who ask
 * together share one, and a value that took long is given again for ten times as long, unless it is not to be kept.
 * A failure never is.
 */
export function paced<T>(
  read: () => Promise<T>,
  { keep = () => true, now = () => performance.now() }: PacedOptions<T> = {},
): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let goodUntil = 0;
  return async () => {
    if (reading !== undefined && now() < goodUntil) return await reading;
    const startedAt = now();
    goodUntil = Number.POSITIVE_INFINITY;
    reading = read();
    try {
      const value = await reading;
      const tookMs = now() - startedAt;
      goodUntil = tookMs < QUICK_MS || !keep(value) ? 0 : now() + REST * tookMs;
      return value;
    } catch (error) {
      goodUntil = 0;
      throw error;
    }
  };
}
