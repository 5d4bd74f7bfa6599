const SAMPLE = 100_000;
/** Of 1,093 real pages the worst has 0.3 % such characters; random bytes, images and archives have 8 % and more. */
const MOST = 0.02;
const NO_TEXT = /(?![\s\u0085])\p{Cc}|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;

/** False for what was bytes and no text: control characters, or ones that nobody has assigned, by the hundred. */
export function isTextual(html: string): boolean {
  const sample = html.slice(0, SAMPLE);
  return (sample.match(NO_TEXT)?.length ?? 0) <= sample.length * MOST;
}
