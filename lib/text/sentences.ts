import { unitToCodePoint } from "./code-points.ts";

/** A stretch of a text, in code points, end exclusive. */
export type Span = { start: number; end: number };

/**
 * Marks that end a sentence, with what may stand between them and the next one: more marks, closing quotes and
 * brackets. None begins within a run of marks: each would read the rest of the run again.
 */
const END =
  /(?:(?<![.!?\u061f\u06d4\u2026])[.!?\u061f\u06d4\u2026]+[)\]}"'\u00bb\u201d\u2019]*(?=\s|$)|[!?\u061f\u06d4]+|[\n\u2029]+|[\u3002\uff01\uff1f])/gu;
const ABBREVIATION =
  /(?:^|[\s("'\u201c])(?:(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Gen|Col|Capt|Lt|Sgt|Rep|Sen|Gov|Rev|Hon|Inc|Ltd|Co|Corp|vs|etc|No|Nos|Fig|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|a\.m|p\.m|i\.e|e\.g|cf|al)|(?:[A-Za-z]\.)*[A-Za-z]|[\u0621-\u064a]|\u0623\.\u062f)\.$/u;
const STARTS_LOWER = /^\s+["'(\u201c]?\p{Ll}/u;

/**
 * Splits a text into sentences, in order, without white space at their ends: at full stops, exclamation and question
 * marks (Latin and Arabic) followed by white space, and at line feeds; not after abbreviations and initials, within
 * numbers, or before a lower-case letter.
 */
export function sentences(text: string): Span[] {
  const toCodePoint = unitToCodePoint(text);
  return sentenceUnits(text).map(({ start, end }) => ({ start: toCodePoint(start), end: toCodePoint(end) }));
}

/** {@link sentences} in UTF-16 units. */
export function sentenceUnits(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length;
    if (match[0] === "." && ABBREVIATION.test(text.slice(Math.max(from, end - 12), end))) continue;
    if (!/[\n\u2029]/.test(match[0]) && STARTS_LOWER.test(text.slice(end, end + 4))) continue;
    push(spans, text, from, end);
    from = end;
  }
  push(spans, text, from, text.length);
  return spans;
}

function push(spans: Span[], text: string, from: number, to: number): void {
  const raw = text.slice(from, to);
  const start = from + raw.length - raw.trimStart().length;
  const end = from + raw.trimEnd().length;
  if (end > start && /[\p{L}\p{N}]/u.test(raw)) spans.push({ start, end });
}
