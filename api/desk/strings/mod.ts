import { analyse } from "./analyse.ts";
import { article } from "./article.ts";
import { ask } from "./ask.ts";
import { claims } from "./claims.ts";
import { common } from "./common.ts";
import { search } from "./search.ts";
import { sources } from "./sources.ts";
import { state } from "./state.ts";
import { story } from "./story.ts";

/** The languages of the desk. */
const LANGUAGES = ["ar", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Directions of the languages. */
export const DIRECTIONS: Readonly<Record<Language, "rtl" | "ltr">> = { ar: "rtl", en: "ltr" };

/** Tells whether the desk speaks a language. */
export function isLanguage(tag: string | undefined): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

const en = {
  common: common.en,
  analyse: analyse.en,
  article: article.en,
  ask: ask.en,
  claims: claims.en,
  search: search.en,
  sources: sources.en,
  state: state.en,
  story: story.en,
};

/** All that the desk says in one language: a group a page, each in a file of its own. */
export type Strings = typeof en;

const ar: Strings = {
  common: common.ar,
  analyse: analyse.ar,
  article: article.ar,
  ask: ask.ar,
  claims: claims.ar,
  search: search.ar,
  sources: sources.ar,
  state: state.ar,
  story: story.ar,
};

/** All that the desk says. */
export const STRINGS: Readonly<Record<Language, Strings>> = { en, ar };
