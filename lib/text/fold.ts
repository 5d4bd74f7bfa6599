import { createHash } from "node:crypto";
import { foldWhiteSpace } from "./white-space.ts";

const INVISIBLE = /[\u0640\u200b-\u200f\u2060\ufeff]+/g;

/**
 * The form in which two texts count as the same: NFKC, without tatweel and zero-width characters (U+200B to U+200F,
 * U+2060, U+FEFF), white space folded. Case and diacritics stay.
 */
export function fold(s: string): string {
  const composed = s.normalize("NFKC");
  const bare = composed.replace(INVISIBLE, "");
  // Characters that an invisible one held apart may compose now.
  return foldWhiteSpace(bare.length === composed.length ? bare : bare.normalize("NFKC"));
}

/** SHA-256 (hex) of the folded title, a line feed, and the folded content; both as {@link cleanText} returns them. */
export function contentHash(title: string, content: string): string {
  return createHash("sha256")
    .update(`${fold(title)}\n${fold(content)}`)
    .digest("hex");
}
