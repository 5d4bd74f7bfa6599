/** A found date as the platform writes it, ISO 8601 in UTC without empty milliseconds; null for none. */
export function isoTime(date: { readonly ms: number } | null): string | null {
  return date === null ? null : new Date(date.ms).toISOString().replace(/\.000Z$/, "Z");
}

/**
 * A found date as its publisher's clock showed it: ISO 8601 with the offset of the zone, `Z` for none; null for no
 * date.
 */
export function isoLocalTime(date: { readonly ms: number; readonly offset: number } | null): string | null {
  if (date === null || date.offset === 0) return isoTime(date);
  const wall = isoTime({ ms: date.ms + date.offset * 60_000 })?.replace(/Z$/, "") ?? "";
  const minutes = Math.abs(date.offset);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${wall}${date.offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
