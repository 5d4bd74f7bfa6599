const LONGEST = 24 * 3600 * 1000;

/**
 * How long a `Retry-After` asks to wait, in milliseconds from `now`, at most a day; undefined when it says nothing
 * readable.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = (value ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(LONGEST, Number(text) * 1000);
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(LONGEST, Math.max(0, date - now));
}
