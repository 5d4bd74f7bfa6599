/** Tells the server the time zone of the browser, for the times of the pages that follow. */
export function rememberZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (document.cookie.includes(`isnad_zone=${encodeURIComponent(timeZone)}`)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is known to few browsers
  document.cookie = `isnad_zone=${encodeURIComponent(timeZone)}; path=/; max-age=34560000; samesite=lax`;
}
