import { hash } from "node:crypto";
import { boundMarks } from "../std/mod.ts";
import { foldWhiteSpace } from "./characters.ts";
import { INVISIBLE, isPlain } from "./clean.ts";

const ARABIC_LETTER = /(?=\p{Script=Arabic})\p{L}/u;
const MARKS = /[\p{M}\u0640]+/gu;
/** Characters without width, marks of direction, soft hyphens: neither seen nor part of a word. */
export const UNSEEN = /[\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/;
const ALL_UNSEEN = new RegExp(`${UNSEEN.source}+`, "g");

/** Letters written in more than one way, and foreign ones, by the letter that they are taken for. */
const LETTERS: Record<string, string> = {
  "\u0622": "ا",
  "\u0623": "ا",
  "\u0625": "ا",
  "\u0671": "ا",
  "\u0649": "ي",
  "\u06cc": "ي",
  "\u06d2": "ي",
  "\u0629": "ه",
  "\u06c1": "ه",
  "\u06be": "ه",
  "\u06d5": "ه",
  "\u06c0": "ه",
  "\u06a9": "ك",
  "\u06af": "ك",
  "\u067e": "ب",
  "\u0686": "ج",
  "\u06a4": "ف",
};
const VARIANT = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * Returns the form in which the words of documents and queries are compared: NFKC, lower case, without marks, tatweel
 * and zero-width characters; hamza on alef, final ya and ta marbuta, Persian letters and Arabic-Indic digits folded; no
 * apostrophe or stop inside, no possessive 's. May hold spaces: some characters stand for several words.
 */
export function normalForm(word: string): string {
  const plain = boundMarks(word)
    .normalize("NFKC")
    .toLowerCase()
    .replace(ALL_UNSEEN, "")
    .replace(DIGIT, (digit) => String(digit.charCodeAt(0) & 15));
  if (ARABIC_LETTER.test(plain)) {
    return plain.replace(MARKS, "").replace(VARIANT, (letter) => LETTERS[letter] ?? letter);
  }
  return plain
    .replace(/['\u2019]s$/, "")
    .replace(/['\u2019.]/g, "")
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC");
}

const INVISIBLES = new RegExp(INVISIBLE, "g");

/**
 * Returns the form in which two texts count as the same: NFKC, without tatweel and zero-width characters (U+200B to
 * U+200F, U+2060, U+FEFF), white space folded. Case and diacritics stay.
 */
export function fold(s: string): string {
  return foldWhiteSpace(compose(s));
}

/** SHA-256 (hex) of the folded title, a line feed, and the folded content; both as {@link cleanText} returns them. */
export function contentHash(title: string, content: string): string {
  return hash("sha256", `${foldCleaned(title)}\n${foldCleaned(content)}`, "hex");
}

/** {@link fold} of a text whose white space is folded already: what composing leaves as it is needs no second look. */
function foldCleaned(s: string): string {
  const composed = compose(s);
  return composed === s ? s : foldWhiteSpace(composed);
}

function compose(s: string): string {
  if (isPlain(s)) return s;
  const composed = boundMarks(s).normalize("NFKC");
  if (!INVISIBLE.test(composed)) return composed;
  // Characters that an invisible one held apart may compose now.
  return boundMarks(composed.replace(INVISIBLES, "")).normalize("NFKC");
}
