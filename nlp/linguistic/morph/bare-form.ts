import { normalForm } from "@isnad/lib/text";

/**
 * A word in the form in which words and lemmas are compared: without vowels, letters folded; itself if nothing stays.
 */
export function bareForm(word: string): string {
  return normalForm(word.replaceAll("`", "")) || word;
}

/** A word as it is written, without vowels, other marks and tatweel. */
export function withoutMarks(word: string): string {
  return word.replace(/[\p{M}\u0640]/gu, "");
}
