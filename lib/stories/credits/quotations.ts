/** Words from which on what stands in quotes is said, and not a name. */
const MIN_WORDS = 6;

/** Characters that a quotation has at most; of straight quotes it is not known which opens one. */
const MAX_UNITS = 1_500;

const CLOSING: Readonly<Record<string, string>> = {
  "\u201c": "\u201d",
  "\u00ab": "\u00bb",
  '"': '"',
  "\u201e": "\u201d",
};

/** Returns the quotations of a text, in UTF-16 units, end exclusive: what is said, without names in quotes. */
export function quotations(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const closing = CLOSING[text.charAt(at)];
    if (closing === undefined) continue;
    const end = text.indexOf(closing, at + 1);
    if (end < 0 || end - at > MAX_UNITS) continue;
    if (
      text
        .slice(at + 1, end)
        .trim()
        .split(/\s+/).length >= MIN_WORDS
    )
      spans.push({ start: at, end: end + 1 });
    at = end;
  }
  return spans;
}
