import { unitToCodePoint } from "./characters.ts";
import { UNSEEN } from "./clean.ts";
import { type WordTerms, wordTermsAt } from "./word-terms.ts";
import { forEachSearchWord, forEachWord } from "./words.ts";

/** A query, its syntax taken apart. */
type ParsedQuery = {
  /** The query without what it excludes: what is searched by meaning, and highlighted. */
  text: string;
  /** Quoted phrases, which a document must hold as they are written. */
  phrases: readonly string[];
  /**
   * Words that no document may hold, in any form, and phrases that none may hold as they are written. Several words
   * that only punctuation parts (`-covid-19`) are in `words` as one.
   */
  excluded: { words: readonly string[]; phrases: readonly string[] };
  /** The rest: neither quoted nor excluded. */
  others: string;
};

/** More words beside its phrases than a headline has make a query a text: quotes and dashes are punctuation. */
const MAX_QUERY_WORDS = 16;

/** Closing quotes by the opening ones. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["«", "»"],
  ["“", "”"],
]);

/** Signs that all syntax has. */
const SYNTAX = /[-"«“]/;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Matches an excluded word behind its minus. */
const EXCLUDED = /[\p{L}\p{N}][^\s"«»“”]*/uy;

/**
 * Takes a query apart: `"…"`, `«…»` and `“…”` quote a phrase; a minus before a word or a phrase, at the beginning or
 * after white space, excludes it, whatever marks of direction stand beside it. Nothing else is syntax; quotes without a
 * partner are ordinary characters. In a query of more than 16 words beside its phrases nothing is.
 */
export function parseQuery(query: string): ParsedQuery {
  if (!SYNTAX.test(query)) return plain(query);
  const phrases: string[] = [];
  const excluded = { words: [] as string[], phrases: [] as string[] };
  let text = "";
  let others = "";
  for (let i = 0; i < query.length; ) {
    const minus = query[i] === "-" && /^$|\s/.test(query[visible(query, i - 1, -1)] ?? "");
    const after = minus ? visible(query, i + 1, 1) : i;
    const quoted = quotedAt(query, after);
    if (quoted !== undefined) {
      if (minus) excluded.phrases.push(quoted.phrase);
      else {
        phrases.push(quoted.phrase);
        text += query.slice(i, quoted.end);
        others += " ";
      }
      i = quoted.end;
      continue;
    }
    const word = minus ? excludedAt(query, after) : undefined;
    if (word !== undefined) {
      excluded.words.push(word);
      i = after + word.length;
      continue;
    }
    text += query[i];
    others += query[i];
    i++;
  }
  let words = 0;
  forEachWord(others, () => {
    words++;
  });
  return words > MAX_QUERY_WORDS ? plain(query) : { text, phrases, excluded, others };
}

function plain(query: string): ParsedQuery {
  return { text: query, phrases: [], excluded: { words: [], phrases: [] }, others: query };
}

/** Returns whether a query says more of a document than that it holds some of its words. */
export function hasSyntax({ phrases, excluded }: ParsedQuery): boolean {
  return phrases.length + excluded.words.length + excluded.phrases.length > 0;
}

/** Returns the phrase whose opening quote stands at `at`; undefined where none does, or it holds no word. */
function quotedAt(query: string, at: number): { phrase: string; end: number } | undefined {
  const closing = CLOSING.get(query[at] ?? "");
  if (closing === undefined) return undefined;
  const end = query.indexOf(closing, at + 1);
  const phrase = query.slice(at + 1, end);
  return end < 0 || !HAS_WORD.test(phrase) ? undefined : { phrase, end: end + 1 };
}

/** Returns the next place from `at` on, by steps of `step`, that has a visible character, or lies outside the query. */
function visible(query: string, at: number, step: 1 | -1): number {
  let place = at;
  while (UNSEEN.test(query[place] ?? "")) place += step;
  return place;
}

function excludedAt(query: string, at: number): string | undefined {
  EXCLUDED.lastIndex = at;
  return EXCLUDED.exec(query)?.[0];
}

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
