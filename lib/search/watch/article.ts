import { forEachSearchWord, wordTermsAt } from "../../text/mod.ts";
import type { FilterFields } from "../filters.ts";
import { soundToken } from "../keyword/cross-language.ts";
import { isInArabic } from "../keyword/invert.ts";
import type { Script } from "../translate/translate.ts";

/** The fields of a text that holds a term, as bits. */
export const IN_TITLE = 1;
export const IN_CONTENT = 2;

/** An article as saved searches look at it: what filters compare, and its words as the keyword index has them. */
export type WatchedArticle = FilterFields & {
  authors: readonly string[];
  /** Its entities; empty while they are not known. */
  entityIds: ReadonlySet<number>;
  /** It makes a claim after a review has refuted it; false while its claims are not known. */
  refuted: boolean;
  /** Holds each stem and root, with the fields that it stands in. */
  terms: ReadonlyMap<string, number>;
  /** Its words as written, in order. */
  title: readonly string[];
  content: readonly string[];
  /** The script that it is mostly in. */
  script: Script;
  /** Its words by how they sound. */
  sounds: ReadonlyMap<string, readonly string[]>;
};

/** An article as the store has it. */
export type ArticleText = { title: string; content: string };

type ArticleWords = Pick<WatchedArticle, "terms" | "title" | "content" | "script" | "sounds">;

/** Analyses the words of an article. */
export function wordsOfArticle({ title, content }: ArticleText): ArticleWords {
  const terms = new Map<string, number>();
  const forms = new Set<string>();
  const rooted: boolean[] = [];
  const read = (text: string, field: number): string[] => {
    const words: string[] = [];
    forEachSearchWord(text, (start, end) => {
      const word = wordTermsAt(text, start, end);
      if (word.form === "") return;
      words.push(word.form);
      forms.add(word.form);
      rooted.push(word.coarse.length > 0);
      for (const term of word.stems) terms.set(term, (terms.get(term) ?? 0) | field);
      for (const term of word.coarse) terms.set(term, (terms.get(term) ?? 0) | field);
    });
    return words;
  };
  const words = { title: read(title, IN_TITLE), content: read(content, IN_CONTENT) };
  return { ...words, terms, script: isInArabic(rooted) ? "arabic" : "latin", sounds: soundsOf(forms) };
}

function soundsOf(forms: Iterable<string>): Map<string, string[]> {
  const sounds = new Map<string, string[]>();
  for (const form of forms) {
    const token = soundToken(form);
    if (token === "") continue;
    const alike = sounds.get(token);
    if (alike === undefined) sounds.set(token, [form]);
    else alike.push(form);
  }
  return sounds;
}

/** Tells whether words stand in a text as written, in order, one after another. */
export function holdsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const [first] = phrase;
  if (first === undefined) return false;
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    if (phrase.every((word, i) => words[at + i] === word)) return true;
  }
  return false;
}
