import { forEachWord, queryWords, wordTermsAt } from "../../text/index.ts";

/** The terms of a text, separated by spaces: its stems, and the roots of its Arabic words. */
export type IndexedTerms = { stems: string; roots: string };

/** What the index holds of a field. */
export function indexedTerms(text: string): IndexedTerms {
  const stems: string[] = [];
  const roots: string[] = [];
  forEachWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    for (const stem of terms.stems) stems.push(stem);
    for (const root of terms.coarse) roots.push(root);
  });
  return { stems: stems.join(" "), roots: roots.join(" ") };
}

/** A word that a query repeats counts so often at most. */
const MOST = 3;

/** What a query looks for; a term that is looked for repeatedly weighs more. */
export function soughtTerms(query: string): { stems: string[]; roots: string[] } {
  const words = queryWords(query).flatMap(({ terms, count }) => Array<typeof terms>(Math.min(count, MOST)).fill(terms));
  return { stems: words.flatMap((terms) => terms.stems), roots: words.flatMap((terms) => terms.coarse) };
}
