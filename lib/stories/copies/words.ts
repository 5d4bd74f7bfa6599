import { memoize } from "../../std/mod.ts";
import { forEachWord, normalForm } from "../../text/mod.ts";

/** Words that a passage has at least; a run of as many is what two texts are compared by. */
export const PASSAGE_WORDS = 5;

/** Words whose hash is cached. */
const CACHED_WORDS = 32_000;

/** Characters of an article's text that are read; few have more. */
const MAX_TEXT_UNITS = 200_000;

/** Letters of a word that says something about the subject. */
const TELLING_LETTERS = 4;

const HAMZA = /[\u0621\u0624\u0626]/g;

/** Spellings of English that differ by country, as the ending of a word and what it counts as. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/our(ed|ing|s|ite|ites|able|ful|hood|ly)?$/, "or$1"],
  [/is(e|ed|es|ing|ation|ations|er|ers)$/, "iz$1"],
  [/ys(e|ed|es|ing)$/, "yz$1"],
  [/tre(s?)$/, "ter$1"],
  [/ogue(s?)$/, "og$1"],
  [/ll(ed|ing|er|ers)$/, "l$1"],
];

/**
 * Returns the form in which words of two texts count as the same: beside what {@link normalForm} folds, every hamza is
 * dropped (`مسؤول`, `مسئول`), and British spellings become American ones.
 */
export function spellingForm(word: string): string {
  const form = normalForm(word);
  const first = form.charCodeAt(0);
  if (first >= 0x600 && first < 0x700) return form.replace(HAMZA, "");
  if (form.length < 5 || form.length > 24) return form;
  for (const [ending, standard] of ENDINGS) if (ending.test(form)) return form.replace(ending, standard);
  return form;
}

/** Tells kinds of words apart, beside their hashes. */
export const PLAIN_WORD = 0;
export const NUMBER = 1;
export const TELLING_WORD = 2;

/** Holds a word's hash and its kind, cached together. */
type ReadWord = { hash: number; kind: number };

const readWord = memoize(
  (word): ReadWord => {
    const form = spellingForm(word);
    const kind = /^\p{N}/u.test(form) ? NUMBER : form.length >= TELLING_LETTERS ? TELLING_WORD : PLAIN_WORD;
    return { hash: hashText(form), kind };
  },
  { capacity: CACHED_WORDS },
);

/** A text as it is compared. */
export type Words = {
  /** Hashes of 32 bits of its words, in order. */
  words: Int32Array;
  /** Their kinds: a number, a word that tells of the subject, or another one. */
  kinds: Uint8Array;
  /** Hashes of its runs of {@link PASSAGE_WORDS} words, by the place of their first; none for a shorter text. */
  runs: Int32Array;
};

/** Reads a text to be compared with others. */
export function readWords(text: string): Words {
  const given = text.length > MAX_TEXT_UNITS ? text.slice(0, MAX_TEXT_UNITS) : text;
  const hashes: number[] = [];
  const kinds: number[] = [];
  forEachWord(given, (start, end) => {
    const { hash, kind } = readWord(given.slice(start, end));
    // Folding leaves nothing of a lone hamza.
    if (hash === 0) return;
    hashes.push(hash);
    kinds.push(kind);
  });
  const words = Int32Array.from(hashes);
  return { words, kinds: Uint8Array.from(kinds), runs: runHashes(words) };
}

function runHashes(words: Int32Array): Int32Array {
  const runs = new Int32Array(Math.max(0, words.length - PASSAGE_WORDS + 1));
  for (let at = 0; at < runs.length; at++) {
    let hash = 0x9e3779b9;
    for (let i = at; i < at + PASSAGE_WORDS; i++) hash = mix(Math.imul(hash, 31) + (words[i] ?? 0));
    runs[at] = hash;
  }
  return runs;
}

/** FNV-1a over UTF-16 units, mixed; 0 for the empty text alone. */
function hashText(text: string): number {
  if (text === "") return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash) || 1;
}

/** Returns the finalizer of MurmurHash3: every input bit reaches every output bit. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** One run of words in so many is an anchor, chosen by its hash: two texts choose the same ones of what they share. */
const SAMPLED = 4;
const LIMIT = 2 ** 32 / SAMPLED;

/** Returns whether a run of words, by its hash, is an anchor. */
export const isAnchor = (run: number): boolean => run >>> 0 < LIMIT;

/** Anchors of a text at least, where it has as many runs: of a short one more of its runs are. */
const MIN_ANCHORS = 64;

/** Anchors of a text at most; of a longer one those with the lowest hashes, which others choose, too. */
export const MAX_ANCHORS = 256;

/**
 * Returns the anchors of a text out of the hashes of its runs, each once: those by which it is found. Any stretch of 16
 * runs that two texts of usual length share has a common anchor in 99 of 100 cases.
 */
export function anchorsOf(runs: Int32Array): Int32Array {
  const sampled = new Set<number>();
  const limit = Math.max(LIMIT, (2 ** 32 * MIN_ANCHORS) / runs.length);
  for (const run of runs) if (run >>> 0 < limit) sampled.add(run);
  const lowest = [...sampled].sort((a, b) => (a >>> 0) - (b >>> 0));
  return Int32Array.from(lowest.slice(0, MAX_ANCHORS));
}
