import { isOtherWhiteSpace } from "./white-space.ts";

/** Tatweel and the characters without width that folding takes out. */
export const INVISIBLE = /[\u0640\u200b-\u200f\u2060\ufeff]/;

const UNKNOWN = 0;
const PLAIN = 1;
const OTHER = 2;

/** What each UTF-16 unit is, as far as one was met. */
const kinds = new Uint8Array(0x10000);

/** The texts that were plain last: a text is cleaned and then folded, and needs to be looked through but once. */
const recent: [string, string] = ["", ""];

/** Whether a text consists of plain characters alone: it is well-formed, NFKC, and has no white space but U+0020. */
export function isPlain(s: string): boolean {
  if (s === recent[0] || s === recent[1]) return true;
  for (let i = 0; i < s.length; i++) {
    const unit = s.charCodeAt(i);
    if (kinds[unit] !== PLAIN && !isPlainUnit(unit)) return false;
  }
  recent[1] = recent[0];
  recent[0] = s;
  return true;
}

/**
 * Whether cleaning and folding leave a UTF-16 unit as it is whatever stands beside it, but for `<`, `&` and runs of
 * spaces: letters, digits and punctuation of Latin and Arabic that are neither combining nor compatibility characters,
 * and the space. Nearly every text consists of them alone.
 */
function isPlainUnit(unit: number): boolean {
  if (kinds[unit] === UNKNOWN) {
    const char = String.fromCharCode(unit);
    const block =
      (unit >= 0x20 && unit < 0x250) || (unit >= 0x600 && unit < 0x700) || (unit >= 0x2010 && unit < 0x2100);
    const stable = !/\p{M}/u.test(char) && !INVISIBLE.test(char) && char.normalize("NFKC") === char;
    kinds[unit] = block && stable && !isOtherWhiteSpace(unit) ? PLAIN : OTHER;
  }
  return kinds[unit] === PLAIN;
}
