import { sharedDictionary } from "../search/translate/translate.ts";
import { analyse, opensAlike, romanised, soundDistance } from "../text/mod.ts";

/** A word of a sentence that says something: its normal form, stems, root, and whether it is written in Arabic. */
export type Word = {
  form: string;
  stems: readonly string[];
  roots: readonly string[];
  isArabic: boolean;
  sound: string;
};

/** Words of a text that are compared: a sentence has fewer. */
const MAX_WORDS = 80;

/** Says how far two words may sound apart and be one name in two scripts, and in one. */
const ACROSS = 0.34;
const WITHIN = 0.2;

const ARABIC = /\p{Script=Arabic}/u;

/**
 * Returns the words of a text that say something, in order, and the forms of all. In a name every word says something:
 * `علي` is also a preposition.
 */
export function wordsOf(text: string, { isName = false } = {}): { words: Word[]; forms: string[] } {
  const words: Word[] = [];
  const forms: string[] = [];
  for (const { terms } of analyse(text)) {
    if (forms.length === MAX_WORDS) break;
    forms.push(terms.form);
    if ((terms.stop && !isName) || terms.stems.length === 0 || /^\d/.test(terms.form)) continue;
    const isArabic = ARABIC.test(terms.form);
    words.push({ form: terms.form, stems: terms.stems, roots: terms.coarse, isArabic, sound: romanised(terms.form) });
  }
  return { words, forms };
}

/** Tells whether two words are the same: by stem or root, as a translation, or as a name that sounds alike. */
export function isSameWord(a: Word, b: Word): boolean {
  if (a.form === b.form || a.stems.some((stem) => b.stems.includes(stem))) return true;
  if (a.isArabic === b.isArabic) {
    if (a.roots.some((root) => b.roots.includes(root))) return true;
    return a.sound.length >= 5 && soundDistance(a.sound, b.sound, WITHIN) <= WITHIN;
  }
  const { options } = sharedDictionary();
  const [arabic, latin] = a.isArabic ? [a, b] : [b, a];
  if (arabic.stems.some((stem) => options(stem).some((each) => latin.stems.includes(each.stem)))) return true;
  return soundsAlike(arabic, latin);
}

/** Tells whether two words in two scripts may be one name. */
function soundsAlike(a: Word, b: Word): boolean {
  if (a.sound.length < 3 || b.sound.length < 3) return false;
  return opensAlike(a.sound, b.sound) && soundDistance(a.sound, b.sound, ACROSS) <= ACROSS;
}

/** Returns which of the words of each of two texts are in the other. */
export function sharedWords(a: readonly Word[], b: readonly Word[]): { inA: boolean[]; inB: boolean[] } {
  const inB = a.map(() => false);
  const inA = b.map(() => false);
  for (const [i, word] of a.entries()) {
    for (const [j, other] of b.entries()) {
      if (inB[i] === true && inA[j] === true) continue;
      if (isSameWord(word, other)) inB[i] = inA[j] = true;
    }
  }
  return { inA, inB };
}
