import { hash } from "node:crypto";
import { boundMarks } from "../std/mod.ts";
import { foldWhiteSpace } from "./characters.ts";
import { INVISIBLE, isPlain } from "./clean.ts";

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
