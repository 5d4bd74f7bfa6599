import { unitToCodePoint } from "./code-points.ts";
import { forEachWord } from "./words.ts";
import { type WordTerms, wordTerms } from "./word-terms.ts";

/** Changes whenever a text is analysed otherwise than before, so that an index made before must be made anew. */
export const ANALYSER_VERSION = "1";

/** A word of a text with its terms; `start` and `end` are code points, end exclusive. */
export type Token = { start: number; end: number; text: string; terms: WordTerms };

/** The words of a text in order, with what an index takes them for. */
export function analyse(text: string): Token[] {
  const toCodePoint = unitToCodePoint(text);
  const tokens: Token[] = [];
  forEachWord(text, (start, end) => {
    const word = text.slice(start, end);
    tokens.push({ start: toCodePoint(start), end: toCodePoint(end), text: word, terms: wordTerms(word) });
  });
  return tokens;
}

/** How often each word occurs in a text, and how many words it has. */
export function countWords(text: string): { counts: Map<WordTerms, number>; length: number } {
  const counts = new Map<WordTerms, number>();
  let length = 0;
  forEachWord(text, (start, end) => {
    const terms = wordTerms(text.slice(start, end));
    counts.set(terms, (counts.get(terms) ?? 0) + 1);
    length++;
  });
  return { counts, length };
}

/** The different words that a query asks for: without stop words, unless it has no others. */
export function queryWords(text: string): WordTerms[] {
  const words = new Map<string, WordTerms>();
  for (const { terms } of analyse(text)) if (terms.stems.length > 0) words.set(terms.stems.join(" "), terms);
  const all = [...words.values()];
  const telling = all.filter((terms) => !terms.stop);
  return telling.length > 0 ? telling : all;
}

/** The stems of a document's fields, separated by spaces. */
export function analyseDocument(title: string, content: string): { title: string; content: string } {
  return { title: stemsOf(title).join(" "), content: stemsOf(content).join(" ") };
}

/** The stems that a query asks for, each once. */
export function analyseQuery(text: string): string[] {
  return [...new Set(queryWords(text).flatMap(({ stems }) => stems))];
}

function stemsOf(text: string): string[] {
  return analyse(text).flatMap(({ terms }) => terms.stems);
}
