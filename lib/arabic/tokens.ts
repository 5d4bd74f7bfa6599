import { tokenSentences, unitToCodePoint } from "../text/mod.ts";

/** A word or a sign of a text; offsets in code points, end exclusive: `text[start:end] == token`. */
export type TextToken = { token: string; start: number; end: number; sentence: number };

/**
 * Returns the words of a text and the signs between them, in order, as the model of entities cuts them: numbers, dates,
 * tags and addresses are one token each. White space and invisible characters are none.
 */
export function tokensOf(text: string): TextToken[] {
  const pointAt = unitToCodePoint(text);
  return tokenSentences(text).flatMap((tokens, sentence) =>
    tokens.map(({ text: token, start, end }) => ({ token, start: pointAt(start), end: pointAt(end), sentence })),
  );
}

/** Returns a hash of a text (FNV-1a), 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
