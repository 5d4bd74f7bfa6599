import { forEachSearchWord, parseQuery, queryWords, type WordTerms, wordTermsAt } from "../../text/mod.ts";

/** A word that a query repeats counts so often at most. */
const MOST = 3;

/** What a query asks for, in the texts of forms and terms. */
export type AnalysedQuery = {
  /** The stems and roots that it looks for, and how often each; without stop words, unless it has no others. */
  stems: ReadonlyMap<string, number>;
  roots: ReadonlyMap<string, number>;
  /** Its words in order, stop words too. */
  words: readonly WordTerms[];
  /** Phrases that a document must hold. */
  phrases: readonly (readonly WordTerms[])[];
  /** Whether it has other words, and may do without phrases where no document holds them all. */
  loose: boolean;
  /** Words and phrases that a document must not hold. */
  excludedWords: readonly WordTerms[];
  excludedPhrases: readonly (readonly WordTerms[])[];
};

/** Takes a query apart and analyses its words. */
export function analyseSearch(query: string): AnalysedQuery {
  const { text, phrases, excluded, others } = parseQuery(query);
  const sought = queryWords(text).map(({ terms, count }) => ({ terms, times: Math.min(count, MOST) }));
  const runs = excluded.words.map(wordsOf);
  const quoted = phrases.map(wordsOf).filter((words) => words.length > 0);
  const stems = timesOf(sought, ({ stems }) => stems);
  // A phrase of stop words alone is asked for all the same: what holds it is an answer.
  for (const words of quoted.filter((each) => each.every(({ stop }) => stop))) {
    for (const stem of words.flatMap((word) => word.stems)) stems.set(stem, stems.get(stem) ?? 1);
  }
  return {
    stems,
    roots: timesOf(sought, ({ coarse }) => coarse),
    words: wordsOf(text),
    phrases: quoted,
    loose: wordsOf(others).length > 0,
    excludedWords: runs.filter((words) => words.length === 1).flat(),
    // What is written as one, such as a date, is one thing to leave out, not each of its parts.
    excludedPhrases: [...excluded.phrases.map(wordsOf), ...runs.filter((words) => words.length > 1)].filter(
      (words) => words.length > 0,
    ),
  };
}

/** The words of a text in order, those of which something is left. */
export function wordsOf(text: string): WordTerms[] {
  const words: WordTerms[] = [];
  forEachSearchWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    if (terms.form !== "") words.push(terms);
  });
  return words;
}

function timesOf(
  sought: readonly { terms: WordTerms; times: number }[],
  termsOf: (terms: WordTerms) => readonly string[],
): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of sought) {
    for (const term of termsOf(word.terms)) times.set(term, (times.get(term) ?? 0) + word.times);
  }
  return times;
}
