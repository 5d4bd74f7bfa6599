import { boundMarks, copied, memoize } from "../../../std/mod.ts";

const MARKS =
  /[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g;
const LETTERS: Record<string, string> = {
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
  "\u06d0": "\u064a",
  "\u0629": "\u0647",
  "\u06c1": "\u0647",
  "\u06d5": "\u0647",
  "\u06a9": "\u0643",
  "\u06af": "\u0643",
  "\u06ad": "\u0643",
  "\u0671": "\u0627",
  "\u067e": "\u0628",
  "\u0686": "\u062c",
  "\u06a4": "\u0641",
  "\u0698": "\u0632",
};
const VARIANTS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const DIGIT = /\p{Nd}/gu;
const PLAIN = /^[a-z]+$/;

/** Words whose forms are kept. */
const KEPT = 20_000;

/**
 * The form in which the tagger knows a word, the same as in its training: NFKD without marks and tatweel, lower case,
 * one form a letter, every digit 0; any link is `<link>`, any handle `<handle>`. What folds to nothing stays as it is.
 */
export const foldToken = memoize((token) => copied(folded(token)), { capacity: KEPT });

function folded(token: string): string {
  if (PLAIN.test(token)) return token;
  if (/^(?:https?:\/\/|www\.)/.test(token)) return "<link>";
  if (token.length > 1 && token.startsWith("@")) return "<handle>";
  const bare = token.length > 1 && token.startsWith("#") ? token.slice(1) : token;
  const form = boundMarks(bare)
    .normalize("NFKD")
    .replace(MARKS, "")
    .toLowerCase()
    .replace(VARIANTS, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGIT, "0")
    .replaceAll(" ", "");
  return form || bare.replaceAll(" ", "") || "_";
}
