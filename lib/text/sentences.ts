import { unitToCodePoint } from "./code-points.ts";
import { endsAbbreviated, endsGlued, isListNumber } from "./sentence-ends.ts";

/** A stretch of a text, in code points, end exclusive. */
export type Span = { start: number; end: number };

const MARK = /[.!?\u061f\u06d4\u2026\n\u2029\u3002\uff01\uff1f]/g;
const STOPS = ".!?\u061f\u06d4\u2026";
/** After these a sentence ends whatever follows. */
const ASKED = /[!?\u061f\u06d4]/;
const CLOSERS = ")]}\"'\u00bb\u201d\u2019";
const STARTS_LOWER = /^\s+["'(\u201c]?\p{Ll}/u;

/**
 * Splits a text into sentences, in order, without white space at their ends: at full stops, exclamation and question
 * marks (Latin and Arabic), and at line feeds. A full stop that no white space follows ends one where a new sentence
 * begins behind it (`ثلاثين.وأصيب`, `in 30.Fifty`). None ends after abbreviations and initials, unless a word follows
 * that begins sentences, within numbers and addresses, before a lower-case letter, or after the number of a list.
 */
export function sentences(text: string): Span[] {
  const toCodePoint = unitToCodePoint(text);
  return sentenceUnits(text).map(({ start, end }) => ({ start: toCodePoint(start), end: toCodePoint(end) }));
}

/** {@link sentences} in UTF-16 units. Takes time with the length of the text, whatever stands in it. */
export function sentenceUnits(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    const { end, next } = endAt(text, from, mark.index);
    MARK.lastIndex = next;
    if (end === undefined) continue;
    push(spans, text, from, end);
    from = end;
  }
  push(spans, text, from, text.length);
  return spans;
}

/** Where the sentence from `from` ends with the mark at `at`, if it does, and where to look for the next mark. */
function endAt(text: string, from: number, at: number): { end?: number; next: number } {
  const character = text.charAt(at);
  if (character === "\n" || character === "\u2029") {
    let next = at + 1;
    while (text.charAt(next) === "\n" || text.charAt(next) === "\u2029") next++;
    return isListNumber(text, from, at) ? { next } : { end: next, next };
  }
  if (!STOPS.includes(character)) return { end: at + 1, next: at + 1 };
  let marks = pastAll(text, at, STOPS);
  let next = pastAll(text, marks, CLOSERS);
  while (next > marks && next < text.length && STOPS.includes(text.charAt(next))) {
    marks = pastAll(text, next, STOPS);
    next = pastAll(text, marks, CLOSERS);
  }
  const isSpaced = next === text.length || /\s/.test(text.charAt(next));
  const isStop = marks === at + 1 && character === ".";
  if (!isSpaced) {
    if (ASKED.test(text.slice(at, marks))) return { end: marks, next };
    const end = isStop ? endsGlued(text, from, at, next) : undefined;
    return end === undefined ? { next } : { end, next };
  }
  if (isStop && next === marks && (isListNumber(text, from, next) || endsAbbreviated(text, from, next)))
    return { next };
  return STARTS_LOWER.test(text.slice(next, next + 4)) ? { next } : { end: next, next };
}

/** The first place from `at` on whose character is not among `characters`. */
function pastAll(text: string, at: number, characters: string): number {
  let next = at;
  while (next < text.length && characters.includes(text.charAt(next))) next++;
  return next;
}

function push(spans: Span[], text: string, from: number, to: number): void {
  const raw = text.slice(from, to);
  const start = from + raw.length - raw.trimStart().length;
  const end = from + raw.trimEnd().length;
  if (end > start && /[\p{L}\p{N}]/u.test(raw)) spans.push({ start, end });
}
