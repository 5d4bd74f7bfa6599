import { expect, test } from "bun:test";
import { MAX_WINDOW_PIECES, windowsOf } from "./windows.ts";

/** One piece a letter. */
const letters = (word: string): number[] => Array.from(word, (letter) => letter.charCodeAt(0));

test("sentences that fit are read together, each with its end", () => {
  expect(windowsOf([["ab", "c"], [], ["d"]], letters)).toEqual([
    { ids: [1, 97, 98, 99, 2, 2, 100, 2], firsts: [1, 3, 6] },
  ]);
});

test("a sentence that does not fit any more begins the next window", () => {
  const words = new Array<string>(MAX_WINDOW_PIECES - 6).fill("x");
  const [first, second] = windowsOf([words, ["y", "z"], ["a", "b", "c"]], letters);
  expect(first?.ids).toHaveLength(MAX_WINDOW_PIECES - 1);
  expect(second).toEqual({ ids: [1, 97, 98, 99, 2], firsts: [1, 2, 3] });
});

test("a sentence longer than a window has several, in which each of its words is answered for once, with words around it", () => {
  const words = Array.from({ length: 300 }, (_, i) => String.fromCharCode(1_000 + i).repeat(1 + (i % 3)));
  const windows = windowsOf([["a"], words], letters);
  const answered = windows.flatMap(({ ids, firsts }) => firsts.map((first) => ids[first]));
  expect(answered).toEqual([97, ...words.map((word) => word.charCodeAt(0))]);
  for (const [i, { ids, firsts }] of windows.slice(1).entries()) {
    expect(ids.length).toBeLessThanOrEqual(MAX_WINDOW_PIECES);
    expect([ids[0], ids.at(-1)]).toEqual([1, 2]);
    if (i > 0) expect(firsts[0]).toBeGreaterThan(20);
    if (i < windows.length - 2) expect(ids.length - (firsts.at(-1) ?? 0)).toBeGreaterThan(20);
  }
});

test("of a long word only the beginning is read; a word without pieces is unknown", () => {
  expect(windowsOf([["\u200f", "y".repeat(5_000)]], (word) => (word === "\u200f" ? [] : letters(word)))).toEqual([
    { ids: [1, 3, ...new Array<number>(8).fill(121), 2], firsts: [1, 2] },
  ]);
});

test("no words, no windows", () => {
  expect(windowsOf([], letters)).toEqual([]);
  expect(windowsOf([[], []], letters)).toEqual([]);
});
