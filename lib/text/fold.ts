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

const WORDS = /[\p{L}\p{N}]+/gu;

/** Words that make one feature. */
const SHINGLE = 3;

/**
 * Returns the 64-bit SimHash of a text over its runs of three words: texts that share most of their runs differ in few
 * bits, texts that share none in about 32. Letter case, diacritics of Arabic and markup of spaces make no difference. A
 * text without words gives 0. After Charikar (2002), "Similarity estimation techniques from rounding algorithms".
 */
export function simhash(text: string): bigint {
  const words = fold(text).toLowerCase().match(WORDS) ?? [];
  if (words.length === 0) return 0n;
  const hashes = words.map(hash32);
  const votes = new Int32Array(64);
  for (let i = 0; i < Math.max(1, hashes.length - SHINGLE + 1); i++) {
    let low = 0x9e3779b9;
    for (const word of hashes.slice(i, i + SHINGLE)) low = mix(Math.imul(low, 31) + word);
    const high = mix(low ^ 0x85ebca6b);
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + (((low >>> bit) & 1) << 1) - 1;
      votes[bit + 32] = (votes[bit + 32] ?? 0) + (((high >>> bit) & 1) << 1) - 1;
    }
  }
  let result = 0n;
  for (let bit = 63; bit >= 0; bit--) result = (result << 1n) | ((votes[bit] ?? 0) > 0 ? 1n : 0n);
  return result;
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash32(word: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 0x01000193);
  return h;
}

/** Returns the finalizer of MurmurHash3: every input bit reaches every output bit. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
