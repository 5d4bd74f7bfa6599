import { at } from "../../std/mod.ts";
import { BARE, parseQuery, type QueryWord, queryWords, type WordTerms } from "../../text/mod.ts";
import type { Dictionary, Options } from "./dictionary.ts";

/** A script, which stands for the language written in it. */
export type Script = "arabic" | "latin";

/** What a word of a query is in the other language: stems that mean the same, any of which is as good as it. */
export type Translation = {
  /** How much it counts: how often the query has the word, at most {@link MOST}. */
  weight: number;
  options: Options;
  /** The word in normal form where it may be a name, to be looked for as it sounds; undefined in an expression. */
  name: string | undefined;
};

/** A word that a query repeats counts so often at most. */
const MOST = 3;

/** What each word counts that an expression is translated with, and each word of the expression by itself. */
const WHOLE = 0.6;
const PART = 0.45;

const ARABIC = /\p{Script=Arabic}/u;
const LATIN = /\p{Script=Latin}/u;

/** The script of a word in normal form; undefined for numbers and other scripts. */
export function scriptOf(form: string): Script | undefined {
  return ARABIC.test(form) ? "arabic" : LATIN.test(form) ? "latin" : undefined;
}

/** The words of a query that may be translated: what is quoted or excluded never is, nor are stop words. */
export function translatableWords(query: string): QueryWord[] {
  return queryWords(parseQuery(query).others).filter(({ terms }) => !terms.stop);
}

/**
 * Translates those of the words of a query ({@link translatableWords}) that are in one script, one by one and, where
 * the dictionary has them, as expressions.
 */
export function translate(
  query: readonly QueryWord[],
  from: Script,
  { options, expressionAt }: Dictionary,
): Translation[] {
  const words = query.filter(({ terms }) => scriptOf(terms.form) === from);
  const stems = words.map(({ terms }) => terms.stems[0] ?? "");
  const translations: Translation[] = [];
  /** Words up to this place belong to an expression. */
  let covered = 0;
  for (const [place, { terms, count }] of words.entries()) {
    const expression = place < covered ? undefined : expressionAt(stems.slice(place));
    if (expression !== undefined) {
      covered = place + expression.length;
      for (const stem of expression.stems) {
        translations.push({ weight: WHOLE, options: [{ stem, share: 1 }], name: undefined });
      }
    }
    const weight = Math.min(count, MOST) * (place < covered ? PART : 1);
    translations.push({ weight, options: optionsOf(terms, options), name: place < covered ? undefined : terms.form });
  }
  return translations.filter(({ options, name }) => options.length > 0 || name !== undefined);
}

/** What a word is in the other language: its form, where the dictionary tells it from its stem, else its stem. */
function optionsOf({ stems, lemmas: [bare = ""] }: WordTerms, of: Dictionary["options"]): Options {
  if (stems.length !== 1) return [];
  const own = bare.startsWith(BARE) ? of(bare) : [];
  return own.length > 0 ? own : of(at(stems, 0));
}
