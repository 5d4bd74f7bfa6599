import type { PieceTokenizer } from "../piece-tokenizer.ts";
import { FIRST, LAST } from "../piece-tokenizer.ts";
import type { TextTokenizer } from "../text-tokenizer.ts";

/** A text as the reranker reads it: tokens for matching; pieces for reading; and for each token where the pieces of its word start. */
export type ReadText = { tokens: readonly number[]; pieces: readonly number[]; starts: readonly number[] };

/** Sequences of pieces, rows of `length` filled up with padding. */
export type Sequences = { ids: Int32Array; length: number };

/** Pieces that are read of a query, and of a passage from where its best window starts. */
export const QUERY_PIECES = 62;
export const STRETCH = 32;

/** No tokenizer joins what a blank parts, so that both can read word by word. */
const BLANKS = /[\s\p{Cc}]+/u;
const UNKNOWN_TOKEN = 0;
const UNKNOWN_PIECE = 3;
/** Characters that a token and what is around it take up at most, on average, in any text worth reading. */
const LONGEST = 40;

/** Reads the first `most` tokens of texts, one after the other; the unknown token and piece where they have none. */
export function createReading(
  tokenizer: TextTokenizer,
  pieceTokenizer: PieceTokenizer,
): (texts: readonly string[], most: number) => ReadText {
  return (texts, most) => {
    const tokens: number[] = [];
    const pieces: number[] = [];
    const starts: number[] = [];
    for (const text of texts) {
      for (const word of text.slice(0, most * LONGEST).split(BLANKS)) {
        if (tokens.length >= most) break;
        if (word === "") continue;
        tokenizer.eachId(word, (id) => {
          tokens.push(id);
          starts.push(pieces.length);
        });
        pieces.push(...pieceTokenizer.idsOf(word));
      }
    }
    return {
      tokens: tokens.length === 0 ? [UNKNOWN_TOKEN] : tokens.slice(0, most),
      pieces: pieces.length === 0 ? [UNKNOWN_PIECE] : pieces,
      starts,
    };
  };
}

/** The first pieces of a query between `<s>` and `</s>`. */
export function queryOf({ pieces }: ReadText): Sequences {
  const ids = Int32Array.from([FIRST, ...pieces.slice(0, QUERY_PIECES), LAST]);
  return { ids, length: ids.length };
}

/** The pieces of each text from the token on that `windows` names, between `<s>` and `</s>`. */
export function stretchesOf(texts: readonly ReadText[], windows: readonly number[]): Sequences {
  const rows = texts.map(({ pieces, starts }, i) => {
    const start = starts[Math.min(windows[i] ?? 0, starts.length - 1)] ?? 0;
    return [FIRST, ...pieces.slice(start, start + STRETCH), LAST];
  });
  const length = Math.max(0, ...rows.map((row) => row.length));
  const ids = new Int32Array(rows.length * length);
  rows.forEach((row, i) => {
    ids.set(row, i * length);
  });
  return { ids, length };
}
