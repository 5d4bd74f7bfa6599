import { unitToCodePoint } from "./code-points.ts";
import { type Span, sentenceUnits } from "./sentences.ts";

/** A part of an article's content; `start` and `end` are code points of the content, end exclusive. */
export type Chunk = {
  /** From 0. */
  no: number;
  start: number;
  end: number;
  /** The title, a line feed, and the content from `start` to `end`. */
  text: string;
};

export type ChunkOptions = {
  /** Words that a chunk holds at most, unless a single word does more. */
  maxWords?: number;
  /** Words of the sentences that a chunk repeats from the one before it, at most. */
  overlapWords?: number;
};

type Piece = Span & { words: number };

/**
 * Cuts an article's content into chunks of whole sentences, about `maxWords` (200) words each; a sentence longer than
 * that is cut between words. The last two chunks share their sentences evenly, so that no chunk is a mere rest. An
 * empty content gives one chunk of the title alone.
 */
export function chunkText(title: string, content: string, options: ChunkOptions = {}): Chunk[] {
  const { maxWords = 200, overlapWords = 0 } = options;
  const pieces = sentenceUnits(content).flatMap((span) => cutLong(content, span, maxWords));
  if (pieces.length === 0) return [{ no: 0, start: 0, end: 0, text: title }];
  const total = pieces.reduce((sum, piece) => sum + piece.words, 0);
  const target = Math.ceil(total / Math.ceil(total / maxWords));
  const toCodePoint = unitToCodePoint(content);
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
    let words = 0;
    let next = first;
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[++next]) {
      if (next > first && (words + piece.words > maxWords || words >= target)) break;
      words += piece.words;
    }
    spans.push({ start: pieces[first]?.start ?? 0, end: pieces[next - 1]?.end ?? 0 });
    if (next >= pieces.length) break;
    let repeated = 0;
    let start = next;
    while (start - 1 > first && repeated + (pieces[start - 1]?.words ?? 0) <= overlapWords) {
      start--;
      repeated += pieces[start]?.words ?? 0;
    }
    first = start;
  }
  return spans;
}

function cutLong(text: string, span: Span, maxWords: number): Piece[] {
  const words = [...text.slice(span.start, span.end).matchAll(/\S+/g)];
  if (words.length <= maxWords) return [{ ...span, words: words.length }];
  const pieces: Piece[] = [];
  for (let i = 0; i < words.length; i += maxWords) {
    const part = words.slice(i, i + maxWords);
    const last = part.at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    pieces.push({ start: span.start + (part[0]?.index ?? 0), end: span.start + end, words: part.length });
  }
  return pieces;
}
