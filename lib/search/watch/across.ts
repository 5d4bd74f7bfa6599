import { forEachSearchWord, romanised, sharedDictionary, soundKey, wordTerms, wordTermsAt } from "../../text/mod.ts";
import type { FilterFields } from "../filters.ts";
import { soundToken, tokenOf } from "../keyword/cross-language.ts";
import { isInArabic } from "../keyword/invert.ts";
import { bestNames, type Script, spellingsOf, translatableWords, translate } from "../translate/translate.ts";

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

/** A text in the language that it is not written in, for articles in that script. */
type Across = {
  to: Script;
  /** Stems that mean the same as one of its words. */
  stems: readonly string[];
  /** Its words that may be names, with the token of those that sound like them. */
  names: readonly WatchedName[];
};

const FROM: Readonly<Record<Script, Script>> = { arabic: "latin", latin: "arabic" };
const SCRIPTS = ["arabic", "latin"] as const;

/** Translates a text as the keyword branch does; the spellings of its names are looked for from now on. */
export function translated(text: string, spellings: Spellings): Across[] {
  const words = translatableWords(text);
  return SCRIPTS.flatMap((to) => {
    const translations = translate(words, FROM[to], sharedDictionary());
    if (translations.length === 0) return [];
    const stems = translations.flatMap(({ options }) => options.map(({ stem }) => stem));
    const names = translations.flatMap(({ name = "" }) => {
      const key = soundKey(name);
      return name === "" || key === "" ? [] : [spellings.watch(name, tokenOf(to, key))];
    });
    return [{ to, stems: [...new Set(stems)], names }];
  });
}

/** Tells whether an article in the other language holds one of the words. */
export function holdsTranslation(article: WatchedArticle, across: readonly Across[], spellings: Spellings): boolean {
  return across.some(({ to, stems, names }) => {
    if (article.script !== to) return false;
    const holds = (stem: string): boolean => article.terms.has(stem);
    return stems.some(holds) || names.some((name) => spellings.stemsOf(name).some(holds));
  });
}

/** Returns the anchors of words in the other language: what an article that holds one of them has. */
export function acrossAnchors(across: readonly Across[]): string[] {
  return across.flatMap(({ stems, names }) => [...stems, ...names.map(({ anchor }) => anchor)]);
}

/** A word in normal form that may be a name; `anchor` is what articles that may spell it are found by. */
type WatchedName = { readonly name: string; readonly anchor: string };

/** Holds the forms that were compared with a name that they sound like, and the stems of those that spell it. */
type Known = WatchedName & {
  compared: Set<string>;
  near: { stem: string; distance: number }[];
  /** The stems of the best of them, as they were after so many articles. */
  best: readonly string[];
  bestAt: number;
};

/** Articles after which the best spellings are chosen again. */
const CHOSEN_FOR = 256;

/** Forms that are compared with a name, at most: those met first are the common ones, as in the keyword index. */
const COMPARED = 400;

/**
 * The spellings of names in the other script that articles have had. An index compares a name with all its words; this
 * learns them as articles come.
 */
export class Spellings {
  #articles = 0;
  readonly #holding: (stem: string) => number;
  readonly #known = new Map<string, Known>();
  readonly #byToken = new Map<string, Known[]>();
  readonly #byStem = new Map<string, Known[]>();

  /** `holding`: how many articles hold a stem. */
  constructor(holding: (stem: string) => number) {
    this.#holding = holding;
  }

  /** Looks for the spellings of a name, among words with this token of sound, from now on. */
  watch(name: string, token: string): WatchedName {
    // No term begins so.
    const anchor = `\u0001${token} ${name}`;
    const existing = this.#known.get(anchor);
    if (existing !== undefined) return existing;
    const known: Known = { ...{ name, anchor, compared: new Set(), near: [] }, best: [], bestAt: 0 };
    this.#known.set(anchor, known);
    append(this.#byToken, token, known);
    return known;
  }

  /** Compares the words of an article with the names that they sound like. */
  learn({ sounds }: Pick<WatchedArticle, "sounds">): void {
    this.#articles++;
    for (const [token, forms] of sounds) {
      for (const known of this.#byToken.get(token) ?? []) {
        const fresh = forms.filter((form) => !known.compared.has(form));
        if (fresh.length === 0 || known.compared.size >= COMPARED) continue;
        for (const form of fresh) known.compared.add(form);
        const alike = fresh.map((form) => ({ form, sound: romanised(form) }));
        for (const { form, distance } of spellingsOf(known.name, alike)) {
          const stem = wordTerms(form).stems[0] ?? "";
          known.near.push({ stem, distance });
          known.bestAt = Number.NEGATIVE_INFINITY;
          append(this.#byStem, stem, known);
        }
      }
    }
  }

  /** Returns the stems of the best spellings of a name so far. */
  stemsOf({ anchor }: WatchedName): readonly string[] {
    const known = this.#known.get(anchor);
    if (known === undefined || known.near.length === 0) return [];
    if (this.#articles - known.bestAt >= CHOSEN_FOR) {
      const near = known.near.map((each) => ({ ...each, holding: Math.max(1, this.#holding(each.stem)) }));
      known.best = [...new Set(bestNames(near).map(({ stem }) => stem))];
      known.bestAt = this.#articles;
    }
    return known.best;
  }

  /** Returns the names that a stem may be. */
  namesOf(stem: string): readonly WatchedName[] {
    return this.#byStem.get(stem) ?? NONE;
  }
}

const NONE: readonly WatchedName[] = [];

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}
