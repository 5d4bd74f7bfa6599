import { forEachWord, unitToCodePoint } from "../text/mod.ts";

/** A word or a sign of a text; offsets in code points, end exclusive: `text[start:end] == token`. */
export type TextToken = { token: string; start: number; end: number; sentence: number };

const WHITE_SPACE = /[\s\p{C}]/u;
const SENTENCE_END = /[.!?؟…\n]/;

/**
 * Returns the words of a text and the signs between them, in order. White space and invisible characters are no tokens.
 */
export function tokensOf(text: string): TextToken[] {
  const pointAt = unitToCodePoint(text);
  const tokens: TextToken[] = [];
  let sentence = 0;
  let ended = false;
  const add = (from: number, to: number): void => {
    if (ended && tokens.length > 0) sentence++;
    ended = false;
    tokens.push({ token: text.slice(from, to), start: pointAt(from), end: pointAt(to), sentence });
  };
  const signs = (from: number, to: number): void => {
    for (let i = from; i < to; ) {
      const sign = String.fromCodePoint(text.codePointAt(i) ?? 0);
      const length = sign.length;
      if (sign === "\n") ended = true;
      if (!WHITE_SPACE.test(sign)) {
        add(i, i + length);
        if (SENTENCE_END.test(sign)) ended = true;
      }
      i += length;
    }
  };
  let last = 0;
  forEachWord(text, (start, end) => {
    signs(last, start);
    add(start, end);
    last = end;
  });
  signs(last, text.length);
  return tokens;
}

/** Returns a hash of a text (FNV-1a), 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
