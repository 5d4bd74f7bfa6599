import { vowelForm } from "../morphology/vowel-form.ts";

/** Whether two lemmas have the same letters, and besides the same vowels, where both tell them. */
export function lemmaMatch(one: string, other: string): { letters: boolean; vowels: boolean } {
  const letters = lettersOf(one) === lettersOf(other);
  return { letters, vowels: letters && vowelForm(one) === vowelForm(other) };
}

const lettersOf = (lemma: string): string => lemma.normalize("NFC").replace(/[\u064b-\u0652\u0670\u0640]/gu, "");
