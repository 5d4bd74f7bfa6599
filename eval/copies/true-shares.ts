import { fold } from "@isnad/lib/text";

const PASSAGE_WORDS = 5;

/** Letters that are written for each other, as readers take them. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[\u064b-\u065f\u0670]/g, ""],
  [/[أإآٱ]/g, "ا"],
  [/ة/g, "ه"],
  [/ى/g, "ي"],
  [/[ؤئء]/g, ""],
];

function wordsOf(text: string): string[] {
  let plain = fold(text).toLowerCase();
  for (const [from, to] of SAME) plain = plain.replace(from, to);
  plain = plain.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the words of the longest passage that two texts share. */
export function longestShared(text: string, other: string): number {
  const [a, b] = [wordsOf(text), wordsOf(other)];
  let longest = 0;
  let row = new Uint16Array(b.length + 1);
  for (const word of a) {
    const next = new Uint16Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      const length = b[j - 1] === word ? (row[j - 1] ?? 0) + 1 : 0;
      next[j] = length;
      if (length > longest) longest = length;
    }
    row = next;
  }
  return longest;
}

/**
 * Returns how much two texts share, by their words as they are written, with nothing of the platform's: the greater
 * share, and that of the shorter text.
 */
export function trueShares(text: string, other: string): { share: number; ofShorter: number } {
  const [a, b] = [wordsOf(text), wordsOf(other)];
  const [ofA, ofB] = [shareIn(a, b), shareIn(b, a)];
  return { share: Math.max(ofA, ofB), ofShorter: a.length <= b.length ? ofA : ofB };
}

function shareIn(words: readonly string[], others: readonly string[]): number {
  const runs = new Set(others.map((_, at) => others.slice(at, at + PASSAGE_WORDS).join(" ")));
  const covered = new Set<number>();
  for (let at = 0; at + PASSAGE_WORDS <= words.length; at++)
    if (runs.has(words.slice(at, at + PASSAGE_WORDS).join(" ")))
      for (let i = at; i < at + PASSAGE_WORDS; i++) covered.add(i);
  return words.length === 0 ? 0 : covered.size / words.length;
}
