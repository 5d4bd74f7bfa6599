import { forEachWord } from "./words.ts";

/**
 * Calls `visit` with the start and end (UTF-16 units) of each word of a text as searches take them, in order: as
 * {@link forEachWord}, but Latin letters part from digits (`iPhone17`, `10kg`; not `H1N1`, `20th`, `3D`), and `عبد`
 * from a name with the article (`عبدالله`).
 */
export function forEachSearchWord(text: string, visit: (start: number, end: number) => void): void {
  forEachWord(text, (start, end) => {
    if (text.charCodeAt(start) < 0x250) visitLatin(text, start, end, visit);
    else visitArabic(text, start, end, visit);
  });
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** What may be written apart from the number before it. Ordinals, decades and names (`3Com`, `4chan`) stay whole. */
const UNIT =
  /^(?:[kmcµ]?g|[kcmn]m|[mc]?l|lbs?|oz|ft|yds?|mph|kph|kmh|[bmt]n|[kmgt]b|[kmgt]wh?|[km]?hz|ghz|am|pm|px|hp|mah|dpi|mm|kg)$/i;

/**
 * A word of letters and digits as its parts: two, or three of which the letters are no single ones. Codes of two
 * letters and more digits (`PL480`) stay whole.
 */
function visitLatin(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  let [first, second, changes] = [0, 0, 0];
  for (let i = start + 1; i < end; i++) {
    if (isDigit(text.charCodeAt(i)) === isDigit(text.charCodeAt(i - 1))) continue;
    changes++;
    if (changes === 1) first = i;
    else if (changes === 2) second = i;
    else break;
  }
  const isCode = first - start === 2 && end - first > 2;
  const isName = changes === 1 && (isDigit(text.charCodeAt(start)) ? !UNIT.test(text.slice(first, end)) : isCode);
  const isModel = changes === 2 && !isDigit(text.charCodeAt(start)) && first - start > 1 && end - second > 1;
  if (changes === 0 || isName || (changes > 1 && !isModel)) {
    visit(start, end);
    return;
  }
  visit(start, first);
  if (changes === 2) visit(first, second);
  visit(changes === 2 ? second : first, end);
}

const JOINED = "وفبكل";

function visitArabic(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  const from = JOINED.includes(text.charAt(start)) ? start + 1 : start;
  if (end - from < 7 || !text.startsWith("عبدال", from)) visit(start, end);
  else {
    visit(start, from + 3);
    visit(from + 3, end);
  }
}
