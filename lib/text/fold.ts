import { hash } from "node:crypto";
import { foldWhiteSpace } from "./white-space.ts";

const INVISIBLE = /[\u0640\u200b-\u200f\u2060\ufeff]/;
const INVISIBLES = new RegExp(INVISIBLE, "g");

/**
 * The form in which two texts count as the same: NFKC, without tatweel and zero-width characters (U+200B to U+200F,
 * U+2060, U+FEFF), white space folded. Case and diacritics stay.
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

/**
 * Letters, digits and marks of punctuation that NFKC leaves as they are whatever stands beside them: those of Latin and
 * Arabic that are neither combining nor compatibility characters. Nearly every text consists of them alone.
 */
const STABLE = new Uint8Array(0x10000);
for (let unit = 0x20; unit < 0x2100; unit++) {
  const char = String.fromCharCode(unit);
  const block = unit < 0x250 || (unit >= 0x600 && unit < 0x700) || unit >= 0x2010;
  if (block && !/\p{M}/u.test(char) && !INVISIBLE.test(char) && char.normalize("NFKC") === char) STABLE[unit] = 1;
}

function isStable(s: string): boolean {
  for (let i = 0; i < s.length; i++) if (STABLE[s.charCodeAt(i)] === 0) return false;
  return true;
}

function compose(s: string): string {
  if (isStable(s)) return s;
  const composed = s.normalize("NFKC");
  if (!INVISIBLE.test(composed)) return composed;
  // Characters that an invisible one held apart may compose now.
  return composed.replace(INVISIBLES, "").normalize("NFKC");
}
