import { sentenceUnits } from "../../../text/sentences.ts";
import { type TextToken, tokenise } from "./tokenise.ts";

/** Tokens of a sentence at most; a longer one is cut. */
const LONGEST_SENTENCE = 150;

/** Characters of a text that are looked at; what lies beyond has no entities. */
export const LONGEST_TEXT = 200_000;

/** The sentences of a text as tokens; stretches without a token are left out. */
export function sentenceTokens(text: string): TextToken[][] {
  const out: TextToken[][] = [];
  for (const { start, end } of sentenceUnits(text.slice(0, LONGEST_TEXT))) {
    const tokens = tokenise(text, start, end).flatMap(wordsOfTag);
    for (let i = 0; i < tokens.length; i += LONGEST_SENTENCE) out.push(tokens.slice(i, i + LONGEST_SENTENCE));
  }
  return out;
}

/** The words that a hashtag is made of: `#عاصي_الحلاني` is a name of two words. */
function wordsOfTag(token: TextToken): TextToken[] {
  if (!token.text.startsWith("#") || token.text.length === 1) return [token];
  return [...token.text.matchAll(/[^#_]+/g)].map(({ 0: text, index }) => ({
    text,
    start: token.start + index,
    end: token.start + index + text.length,
  }));
}

/** The language whose names a sentence most likely holds, by the letters it is written in. */
export function scriptOf(tokens: readonly TextToken[]): "ar" | "en" {
  let arabic = 0;
  let other = 0;
  for (const { text } of tokens) {
    if (/^(?=\p{Script=Arabic})\p{L}/u.test(text)) arabic++;
    else if (/^\p{L}/u.test(text)) other++;
  }
  return arabic >= other && arabic > 0 ? "ar" : "en";
}
