import { common } from "./common.ts";
import { state } from "./state.ts";

/** The languages of the desk. */
export const LANGUAGES = ["ar", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Directions of the languages. */
export const DIRECTIONS: Readonly<Record<Language, "rtl" | "ltr">> = { ar: "rtl", en: "ltr" };

/** Tells whether the desk speaks a language. */
export function isLanguage(tag: string | undefined): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

const en = { common: common.en, state: state.en };

/** All that the desk says in one language: a group a page, each in a file of its own. */
export type Strings = typeof en;

/** All that the desk says. */
export const STRINGS: Readonly<Record<Language, Strings>> = { en, ar: { common: common.ar, state: state.ar } };
