import { normalForm } from "@isnad/lib/text";

/**
 * A word in the form in which words and lemmas are compared: without vowels, letters folded; itself if nothing stays.
 */
export function bareForm(word: string): string {
  return normalForm(word.replaceAll("`", "")) || word;
}
