/** A found date as the platform writes it, ISO 8601 in UTC without empty milliseconds; null for none. */
export function isoTime(date: { readonly ms: number } | null): string | null {
  return date === null ? null : new Date(date.ms).toISOString().replace(/\.000Z$/, "Z");
}
