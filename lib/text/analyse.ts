import { unitToCodePoint } from "./characters.ts";
import { type WordTerms, wordTermsAt } from "./word-terms.ts";
import { forEachSearchWord } from "./words.ts";

/** Changes whenever a text is analysed otherwise than before, so that an index made before must be made again. */
export const ANALYSER_VERSION = "4";

/** A word of a text with its terms; `start` and `end` are code points, end exclusive. */
type Token = { start: number; end: number; text: string; terms: WordTerms };

/** Returns the words of a text in order, with what an index takes them for. */
export function analyse(text: string): Token[] {
  const toCodePoint = unitToCodePoint(text);
  const tokens: Token[] = [];
  forEachSearchWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    tokens.push({ start: toCodePoint(start), end: toCodePoint(end), text: text.slice(start, end), terms });
  });
  return tokens;
}

/** Counts each word of a text, and all of them. */
export function countWords(text: string): { counts: Map<WordTerms, number>; length: number } {
  const counts = new Map<WordTerms, number>();
  let length = 0;
  forEachSearchWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    counts.set(terms, (counts.get(terms) ?? 0) + 1);
    length++;
  });
  return { counts, length };
}

/** A word that a query asks for, how often, and everything that it is there. */
export type QueryWord = { terms: WordTerms; count: number; lemmas: ReadonlySet<string> };

/** Returns the different words that a query asks for: without stop words, unless it has no others. */
export function queryWords(text: string): QueryWord[] {
  const words = new Map<string, QueryWord & { lemmas: Set<string> }>();
  for (const { terms } of analyse(text)) {
    if (terms.stems.length === 0) continue;
    const key = terms.stems.join(" ");
    const entry = words.get(key) ?? { terms, count: 0, lemmas: new Set() };
    entry.count++;
    for (const lemma of terms.lemmas) entry.lemmas.add(lemma);
    words.set(key, entry);
  }
  const all = [...words.values()];
  const telling = all.filter(({ terms }) => !terms.stop);
  return telling.length > 0 ? telling : all;
}

/**
 * Returns every term, stems and roots, of a document's fields, separated by spaces: what an index of words holds of it.
 */
export function analyseDocument(title: string, content: string): { title: string; content: string } {
  return { title: allTerms(analyse(title)).join(" "), content: allTerms(analyse(content)).join(" ") };
}

/** Returns every term that a query asks for, each once. */
export function analyseQuery(text: string): string[] {
  return [...new Set(allTerms(queryWords(text)))];
}

function allTerms(words: readonly { terms: WordTerms }[]): string[] {
  return words.flatMap(({ terms }) => [...terms.stems, ...terms.coarse]);
}
