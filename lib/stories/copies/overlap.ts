import { PASSAGE_WORDS } from "./words.ts";

/** A text as it is compared: hashes of its words, and of its runs of words. */
export type Runs = { words: Int32Array; runs: Int32Array };

/** Tells how much two texts share. */
export type Overlap = {
  /** The share of the words of the one text that stand in passages of the other, and the other way round. */
  overlap: number;
  overlapOfOther: number;
};

/**
 * Returns how much of each of two texts stands in passages that the other has, too: at least five words in a row,
 * wherever they stand. Takes time with the length of both.
 */
export function overlapOf(text: Runs, other: Runs): Overlap {
  return {
    overlap: shareOf(coverage(text, new Set(other.runs))),
    overlapOfOther: shareOf(coverage(other, new Set(text.runs))),
  };
}

/** Returns which words of a text stand in one of these runs. */
export function coverage({ words, runs }: Runs, others: ReadonlySet<number>): Uint8Array {
  const covered = new Uint8Array(words.length);
  let until = 0;
  for (let at = 0; at < runs.length; at++) {
    if (!others.has(runs[at] ?? 0)) continue;
    const end = at + PASSAGE_WORDS;
    covered.fill(1, Math.max(at, until), end);
    until = end;
  }
  return covered;
}

/** Returns the share of the words that are covered; 0 for a text without words. */
export function shareOf(covered: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < covered.length; i++) sum += covered[i] ?? 0;
  return covered.length === 0 ? 0 : sum / covered.length;
}
