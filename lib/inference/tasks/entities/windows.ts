import { FIRST, LAST } from "../../tokenizers/piece-tokenizer.ts";

/** Ids of pieces that are read together, between `<s>` and `</s>`, and which of them words begin with. */
export type Window = { ids: number[]; firsts: number[] };

/** Pieces of a window at most. */
export const LONGEST_WINDOW = 128;

/** What remains of a word without letters that are known. */
const UNKNOWN = 3;

/** Pieces of a word that are read, and UTF-16 units in which they are looked for. */
const WORD_PIECES = 8;
const WORD_UNITS = 192;

/**
 * Packs the sentences of a document into windows, in their order: a name is easier to tell by the sentences around it
 * (Schweter and Akbik, "FLERT", 2020). A sentence that does not fit what is left of a window begins the next; one that
 * is longer than a window goes on in the next. The words of all windows are those of all sentences, one after the
 * other.
 */
export function windowsOf(
  sentences: readonly (readonly string[])[],
  idsOf: (word: string) => readonly number[],
): Window[] {
  const windows: Window[] = [];
  let open: Window = { ids: [FIRST], firsts: [] };
  const close = (): void => {
    if (open.firsts.length > 0) windows.push(open);
    open = { ids: [FIRST], firsts: [] };
  };
  for (const words of sentences) {
    const pieces = words.map((word) => piecesOf(word, idsOf));
    const length = pieces.reduce((sum, ids) => sum + ids.length, 1);
    if (open.ids.length + length > LONGEST_WINDOW) close();
    for (const ids of pieces) {
      if (open.ids.length + ids.length + 1 > LONGEST_WINDOW) {
        open.ids.push(LAST);
        close();
      }
      open.firsts.push(open.ids.length);
      open.ids.push(...ids);
    }
    open.ids.push(LAST);
  }
  close();
  return windows;
}

function piecesOf(word: string, idsOf: (word: string) => readonly number[]): readonly number[] {
  const ids = idsOf(word.slice(0, WORD_UNITS));
  if (ids.length === 0) return [UNKNOWN];
  return ids.length > WORD_PIECES ? ids.slice(0, WORD_PIECES) : ids;
}
