import { boundMarks } from "../../std/mod.ts";
import { normalForm, UNSEEN } from "../../text/mod.ts";

const PLAIN = /^[\u0621-\u063a\u0641-\u064a]*$/;
const ALL_UNSEEN = new RegExp(UNSEEN.source, "g");

/**
 * A word in the form in which words and lemmas are compared: without vowels, letters folded; itself if nothing stays.
 */
export function bareForm(word: string): string {
  return normalForm(word.replaceAll("`", "")) || word;
}

/**
 * A word in the characters that the lexicon is written in, its marks and tatweel kept: a hamza is one with its letter,
 * presentation forms are letters, alef wasla is an alef, the percent sign is that of all scripts, and characters that
 * are not seen are gone.
 */
export function plainSpelling(word: string): string {
  if (PLAIN.test(word)) return word;
  const plain = boundMarks(word)
    .normalize("NFKC")
    .replace(ALL_UNSEEN, "")
    .replaceAll("\u0671", "\u0627")
    .replaceAll("\u066a", "%");
  // What stands for several words, or for nothing, stays what it is.
  return plain === "" || /\s/.test(plain) ? word : plain;
}

/** A word as it is written, without vowels, other marks and tatweel. */
export function withoutMarks(word: string): string {
  return PLAIN.test(word) ? word : plainSpelling(word).replace(/[\p{M}\u0640]/gu, "");
}
