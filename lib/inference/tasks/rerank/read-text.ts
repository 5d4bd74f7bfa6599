import { at } from "../../../std/index.ts";
import { FIRST, LAST, type PieceTokenizer } from "../../tokenizers/piece-tokenizer.ts";
import type { TextTokenizer } from "../../tokenizers/text-tokenizer.ts";

/** A text as the reranker reads it: its words; tokens for matching; and for each token which word it is in. */
export type ReadText = { words: readonly string[]; tokens: readonly number[]; wordOf: readonly number[] };

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

/** Reads the first `most` tokens of texts, one after the other; the unknown token where they have none. */
export function createReading(tokenizer: TextTokenizer): (texts: readonly string[], most: number) => ReadText {
  return (texts, most) => {
    const words: string[] = [];
    const tokens: number[] = [];
    const wordOf: number[] = [];
    const take = (id: number): void => {
      tokens.push(id);
      wordOf.push(words.length);
    };
    for (const text of texts) {
      for (const word of text.slice(0, most * LONGEST).split(BLANKS)) {
        if (tokens.length >= most) break;
        if (word === "") continue;
        tokenizer.eachId(word, take);
        words.push(word);
      }
    }
    return { words, tokens: tokens.length === 0 ? [UNKNOWN_TOKEN] : tokens.slice(0, most), wordOf };
  };
}

/** The first pieces of a query between `<s>` and `</s>`. */
export function queryOf({ words }: ReadText, pieces: Pick<PieceTokenizer, "idsOf">): Sequences {
  const ids = Int32Array.from(sequence(words, 0, QUERY_PIECES, pieces));
  return { ids, length: ids.length };
}

/** The pieces of each text from the word on whose token `windows` names, between `<s>` and `</s>`. */
export function stretchesOf(
  texts: readonly ReadText[],
  windows: readonly number[],
  pieces: Pick<PieceTokenizer, "idsOf">,
): Sequences {
  const rows = texts.map(({ words, wordOf }, i) => {
    const start = wordOf.length === 0 ? 0 : at(wordOf, Math.min(at(windows, i), wordOf.length - 1));
    return sequence(words, start, STRETCH, pieces);
  });
  const length = Math.max(0, ...rows.map((row) => row.length));
  const ids = new Int32Array(rows.length * length);
  rows.forEach((row, i) => {
    ids.set(row, i * length);
  });
  return { ids, length };
}

/** The first `most` pieces from the word `start` on; the unknown piece where there is none. */
function sequence(
  words: readonly string[],
  start: number,
  most: number,
  pieces: Pick<PieceTokenizer, "idsOf">,
): number[] {
  const ids = [FIRST];
  for (let at = start; at < words.length && ids.length <= most; at++) ids.push(...pieces.idsOf(words[at] ?? ""));
  if (ids.length === 1) ids.push(UNKNOWN_PIECE);
  ids.length = Math.min(ids.length, most + 1);
  ids.push(LAST);
  return ids;
}
