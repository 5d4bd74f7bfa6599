import type { NewsArticle } from "./articles.ts";

/** The ways in which an article that somebody has seen is asked for. */
export const QUERIES = {
  /** The whole headline. */
  title: ({ title }: NewsArticle) => title,
  /** The first five words of the headline. */
  "five words": ({ title }: NewsArticle) => firstWords(title),
  /** The first five words of the text. */
  lead: ({ text }: NewsArticle) => firstWords(text),
  /** The first five words of the headline, one of them misspelt. */
  misspelt: ({ title }: NewsArticle) => misspelt(firstWords(title)),
} satisfies Record<string, (article: NewsArticle) => string>;

/** What is asked with. */
export type QueryKind = keyof typeof QUERIES;
export const QUERY_KINDS = Object.keys(QUERIES) as QueryKind[];

const WORDS = 5;

function firstWords(text: string): string {
  return text.split(/\s+/, WORDS).join(" ");
}

/** Letters that a wrong key gives, by script. */
const LETTERS = { arabic: "ابتجحدرسعفقكلمنهوي", latin: "abcdefghijklmnopqrstuvwxyz" };

/**
 * A text with one mistake in its longest word (the first of those), the same every time: two letters swapped, one left
 * out, one doubled or a wrong one, by the length of the text. The mistake is in the middle of the word, where writers
 * make them. Texts of words of fewer than four letters stay as they are.
 */
export function misspelt(text: string): string {
  const words = [...text.matchAll(/\p{L}{4,}/gu)].map(([word]) => word);
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), "");
  if (longest === "") return text;
  const letters = [...longest];
  const middle = letters.length >> 1;
  const [first = "", second = ""] = letters.slice(middle - 1, middle + 1);
  const alphabet = /\p{Script=Arabic}/u.test(longest) ? LETTERS.arabic : LETTERS.latin;
  const wrong =
    [...alphabet].filter((letter) => letter !== second.toLowerCase())[text.length % (alphabet.length - 1)] ?? "";
  const mistakes = [`${second}${first}`, first, `${first}${second}${second}`, `${first}${wrong}`];
  letters.splice(middle - 1, 2, mistakes[text.length % mistakes.length] ?? "");
  return text.replace(longest, () => letters.join(""));
}
