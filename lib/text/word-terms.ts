import { englishStem } from "./english-stem.ts";
import { consonants, lightStem } from "./light-stem.ts";
import { normalForm } from "./normal-form.ts";
import { isStopWord } from "./stop-words.ts";

/** What one word of a text is to an index; the same object for each occurrence of the word while it is remembered. */
export type WordTerms = {
  /** Its stem; several when one character stands for several words; none when nothing is left of it. */
  readonly stems: readonly string[];
  /** Its root, or the consonants of a word without one, after {@link COARSE}; none for Latin and stop words. */
  readonly coarse: readonly string[];
  /** Whether it is a stop word, which a query need not look for. */
  readonly stop: boolean;
};

/** The first character of coarse terms: no stem begins with it. */
export const COARSE = "~";

/** Longer words are cut: an index has no use for more. */
const LONGEST = 64;
const REMEMBERED = 100_000;
const ARABIC = /\p{Script=Arabic}/u;

let recent = new Map<string, WordTerms>();
let older = new Map<string, WordTerms>();

/** The terms of a word as it stands in a text. The words met last are remembered. */
export function wordTerms(word: string): WordTerms {
  const known = recent.get(word);
  if (known !== undefined) return known;
  const terms = older.get(word) ?? makeTerms(word);
  if (recent.size >= REMEMBERED) {
    older = recent;
    recent = new Map();
  }
  if (word.length <= LONGEST) recent.set(word, terms);
  return terms;
}

function makeTerms(word: string): WordTerms {
  const forms = normalForm(word.slice(0, LONGEST))
    .split(" ")
    .filter((form) => form !== "");
  const stop = forms.every(isStopWord);
  const arabic = forms.filter((form) => !stop && ARABIC.test(form));
  return {
    stems: forms.map((form) => (stop ? form : ARABIC.test(form) ? lightStem(form) : englishStem(form))),
    coarse: arabic.map((form) => COARSE + consonants(lightStem(form))),
    stop,
  };
}
