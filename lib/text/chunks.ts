import { at } from "../std/mod.ts";
import { unitToCodePoint } from "./characters.ts";
import { sentenceUnits, type Span } from "./sentences.ts";

/** A part of an article's content; `start` and `end` are code points of the content, end exclusive. */
type Chunk = {
  /** From 0. */
  no: number;
  start: number;
  end: number;
  /** The title, a line feed, and the content from `start` to `end`; of a content without words the title alone. */
  text: string;
};

type ChunkOptions = {
  /** Words that a chunk holds at most. */
  maxWords?: number;
  /** Words of the sentences that a chunk repeats from the one before it, at most. */
  overlapWords?: number;
};

type Piece = Span & { words: number };

/** UTF-16 units of content that a chunk holds at most: more than twice what 200 words of any language take. */
export const MAX_CHUNK_UNITS = 4000;

/**
 * Cuts an article's content into chunks of whole sentences, about `maxWords` (200) words each and never longer than
 * {@link MAX_CHUNK_UNITS}; a sentence longer than that is cut between words, a word within. The last two chunks share
 * their sentences evenly, so that no chunk is a mere rest. A content without words gives one chunk, its beginning.
 */
export function chunkText(title: string, content: string, options: ChunkOptions = {}): Chunk[] {
  const { maxWords = 200, overlapWords = 0 } = options;
  const pieces = sentenceUnits(content).flatMap((span) => cutLong(content, span, maxWords));
  const toCodePoint = unitToCodePoint(content);
  const [only] = pieces.length === 0 ? cutLong(content, { start: 0, end: content.length }, maxWords) : [];
  if (pieces.length === 0) {
    return [{ no: 0, start: toCodePoint(only?.start ?? 0), end: toCodePoint(only?.end ?? 0), text: title }];
  }
  const total = pieces.reduce((sum, piece) => sum + piece.words, 0);
  const target = Math.ceil(total / Math.ceil(total / maxWords));
  return group(pieces, target, maxWords, overlapWords).map(({ start, end }, no) => ({
    no,
    start: toCodePoint(start),
    end: toCodePoint(end),
    text: title === "" ? content.slice(start, end) : `${title}\n${content.slice(start, end)}`,
  }));
}

function group(pieces: readonly Piece[], target: number, maxWords: number, overlapWords: number): Span[] {
  const spans: Span[] = [];
  let first = 0;
  while (first < pieces.length) {
    const { start } = at(pieces, first);
    let words = 0;
    let next = first;
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[++next]) {
      const full = words + piece.words > maxWords || words >= target || piece.end - start > MAX_CHUNK_UNITS;
      if (next > first && full) break;
      words += piece.words;
    }
    spans.push({ start, end: at(pieces, next - 1).end });
    if (next >= pieces.length) break;
    let repeated = 0;
    let from = next;
    while (from - 1 > first && repeated + at(pieces, from - 1).words <= overlapWords) {
      from--;
      repeated += at(pieces, from).words;
    }
    first = from;
  }
  return spans;
}

/** Returns the sentence as one piece, or as several: of `maxWords` words and {@link MAX_CHUNK_UNITS} units at most. */
function cutLong(text: string, span: Span, maxWords: number): Piece[] {
  const pieces: Piece[] = [];
  for (const word of wordsOf(text, span)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.words < maxWords && word.end - last.start <= MAX_CHUNK_UNITS) {
      last.end = word.end;
      last.words++;
    } else pieces.push({ ...word, words: 1 });
  }
  return pieces;
}

/** Returns what stands between white space, cut where it is longer than a chunk may be. */
function* wordsOf(text: string, { start, end }: Span): Generator<Span> {
  for (const { index, 0: word } of text.slice(start, end).matchAll(/\S+/g)) {
    for (let from = 0; from < word.length; ) {
      const to = cutBefore(word, from + MAX_CHUNK_UNITS);
      yield { start: start + index + from, end: start + index + to };
      from = to;
    }
  }
}

/** `unit`, or the one before it where it would part the halves of a code point. */
function cutBefore(text: string, unit: number): number {
  if (unit >= text.length) return text.length;
  return (text.charCodeAt(unit) & 0xfc00) === 0xdc00 ? unit - 1 : unit;
}
