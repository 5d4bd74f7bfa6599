/** Words from which on what stands in quotes is said, and not a name. */
const MIN_WORDS = 6;

/** Characters that a quotation has at most; of straight quotes it is not known which opens one. */
const MAX_UNITS = 1_500;

const STRAIGHT = '"';

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
    if (closing === STRAIGHT && standsBehind(text, at)) continue;
    const end = closingOf(text, at, closing);
    if (end < 0 || end - at > MAX_UNITS || (closing === STRAIGHT && standsBefore(text, end))) continue;
    // Of a quotation of several paragraphs each opens one, and only the last closes it.
    const next = text.indexOf(text.charAt(at), at + 1);
    if (closing !== STRAIGHT && next >= 0 && next < end) continue;
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

/** Returns where a quotation ends: at its closing quote, or at a straight one before it that can only close. */
function closingOf(text: string, at: number, closing: string): number {
  const end = text.indexOf(closing, at + 1);
  if (closing === STRAIGHT) return end;
  const reach = end < 0 ? Math.min(text.length, at + MAX_UNITS) : end;
  for (let next = text.indexOf(STRAIGHT, at + 1); next >= 0 && next < reach; next = text.indexOf(STRAIGHT, next + 1))
    if (/[.,!?،؟]/u.test(text.charAt(next - 1)) && standsBehind(text, next)) return next;
  return end;
}

/** Returns whether a straight quote can only close: right behind a word or a mark, and before a space. */
const standsBehind = (text: string, at: number): boolean =>
  /[\p{L}\p{N}.!?،,]/u.test(text.charAt(at - 1)) && /^[\s.,،؛:)]?$/.test(text.charAt(at + 1));

/** Returns whether a straight quote can only open: behind a space, and right before a word. */
const standsBefore = (text: string, at: number): boolean =>
  /[\s:(]/.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at + 1));
