import { FIRST, LAST } from "../../tokenizers/pieces.ts";

/** Ids of pieces that are read together, between `<s>` and `</s>`, and which of them words begin with. */
export type Window = { ids: number[]; firsts: number[] };

/** Pieces of a window at most. */
export const MAX_WINDOW_PIECES = 128;

/** Holds what remains of a word without letters that are known. */
const UNKNOWN = 3;

/** Pieces of a word that are read, and UTF-16 units in which they are looked for. */
const WORD_PIECES = 8;
const WORD_UNITS = 192;

/** Pieces before and after the words that a window of a long sentence answers for. */
const CONTEXT = 24;

/**
 * Packs the sentences of a document into windows, in their order: a name is easier to tell by the sentences around it
 * (Schweter and Akbik, "FLERT", 2020). A sentence that does not fit what is left of a window begins the next. One that
 * is longer than a window has several, which overlap, so that each word is read with words on both sides. The words of
 * all windows are those of all sentences, one after the other.
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
    if (open.ids.length + length > MAX_WINDOW_PIECES) close();
    if (1 + length > MAX_WINDOW_PIECES) {
      windows.push(...overlapping(pieces));
      continue;
    }
    for (const ids of pieces) {
      open.firsts.push(open.ids.length);
      open.ids.push(...ids);
    }
    open.ids.push(LAST);
  }
  close();
  return windows;
}

/** Returns the windows of a sentence that does not fit into one. */
function overlapping(pieces: readonly (readonly number[])[]): Window[] {
  const windows: Window[] = [];
  const sizeOf = (word: number): number => pieces[word]?.length ?? 0;
  for (let next = 0; next < pieces.length; ) {
    let from = next;
    for (let before = 0; from > 0 && before + sizeOf(from - 1) <= CONTEXT; from--) before += sizeOf(from - 1);
    let to = from;
    let size = 2;
    for (; to < pieces.length && size + sizeOf(to) <= MAX_WINDOW_PIECES; to++) size += sizeOf(to);
    let until = to;
    if (to < pieces.length) {
      for (let after = 0; until > next + 1 && after + sizeOf(until - 1) <= CONTEXT; until--) after += sizeOf(until - 1);
    }
    const window: Window = { ids: [FIRST], firsts: [] };
    for (let word = from; word < to; word++) {
      if (word >= next && word < until) window.firsts.push(window.ids.length);
      window.ids.push(...(pieces[word] ?? []));
    }
    window.ids.push(LAST);
    windows.push(window);
    next = until;
  }
  return windows;
}

function piecesOf(word: string, idsOf: (word: string) => readonly number[]): readonly number[] {
  const ids = idsOf(word.slice(0, WORD_UNITS));
  if (ids.length === 0) return [UNKNOWN];
  return ids.length > WORD_PIECES ? ids.slice(0, WORD_PIECES) : ids;
}
