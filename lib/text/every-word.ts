import { analyse, queryWords } from "./analyse.ts";

/** Whether a text holds every word that a query asks for, each in any form of its stem. */
export function holdsEveryWord(text: string, query: string): boolean {
  const words = queryWords(query);
  const stems = new Set(analyse(text).flatMap(({ terms }) => terms.stems));
  return words.length > 0 && words.every(({ terms }) => terms.stems.every((stem) => stems.has(stem)));
}
