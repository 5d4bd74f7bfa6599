import { arabicMorphology } from "./arabic-lexicon.ts";
import type { Reading } from "./morphology.ts";
import { englishLemma, englishStem } from "./english-stem.ts";
import { consonants, lightStem } from "./light-stem.ts";
import { isStopWord } from "./stop-words.ts";
import { WordCache } from "./word-cache.ts";
import { lexicalForms, wordForm } from "./word-form.ts";

/** What one word of a text is to an index; the same object for each occurrence of the word while it is remembered. */
export type WordTerms = {
  /** The word as written, in normal form; empty when nothing is left of it. */
  readonly form: string;
  /** Its stem; several when one character stands for several words; none when nothing is left of it. */
  readonly stems: readonly string[];
  /** Its root, or the consonants of a word without one, after {@link COARSE}; none for Latin and stop words. */
  readonly coarse: readonly string[];
  /** What a reader takes for the same word: its inflected forms share one, other words of its root or stem do not. */
  readonly lemmas: readonly string[];
  /** Whether it is a stop word, which a query need not look for. */
  readonly stop: boolean;
};

/** The first character of coarse terms: no stem begins with it. */
export const COARSE = "~";

/** The first character of an Arabic word without article and conjunction, the first of its lemmas. */
export const BARE = "=";

/** Longer words are cut: an index has no use for more. */
const LONGEST = 64;
/** The article with what may stand before it: without it a word is the same, whatever else it could be read as. */
const ARTICLE = /^[وف]?(?:[بك]?ال|لل)(?=...)/u;
const ARABIC = /\p{Script=Arabic}/u;

const cache = new WordCache(makeTerms, LONGEST);

/** The terms of the word from `start` to `end` of a text. The words met last are remembered. */
export function wordTermsAt(text: string, start: number, end: number): WordTerms {
  return cache.get(text, start, end);
}

/** The terms of a word as it stands in a text. */
export function wordTerms(word: string): WordTerms {
  return cache.get(word, 0, word.length);
}

function makeTerms(word: string): WordTerms {
  const forms = wordForm(word.slice(0, LONGEST))
    .split(" ")
    .filter((form) => form !== "");
  if (forms.every(isStopWord)) {
    return {
      form: forms.join(" "),
      stems: forms,
      coarse: [],
      lemmas: forms,
      stop: true,
    };
  }
  const parts = forms.map((form) => (ARABIC.test(form) ? arabicTerms(form) : englishTerms(form)));
  return {
    form: forms.join(" "),
    stems: parts.map(({ stem }) => stem),
    coarse: parts.flatMap((part) => ("coarse" in part ? [COARSE + part.coarse] : [])),
    lemmas: parts.flatMap((part) => part.lemmas),
    stop: false,
  };
}

function arabicTerms(form: string): { stem: string; coarse: string; lemmas: readonly string[] } {
  const reading = readingOf(form);
  const stem = reading?.stem ?? lightStem(form);
  const bare = `${BARE}${form.replace(ARTICLE, "")}`;
  return { stem, coarse: reading?.root || consonants(stem), lemmas: [bare, ...(reading?.lemmas ?? [stem])] };
}

function readingOf(form: string): Reading | undefined {
  for (const lexical of lexicalForms(form)) {
    const reading = arabicMorphology()(lexical);
    if (reading !== undefined) return reading;
  }
  return undefined;
}

function englishTerms(form: string): { stem: string; lemmas: readonly string[] } {
  return { stem: englishStem(form), lemmas: [englishLemma(form)] };
}
