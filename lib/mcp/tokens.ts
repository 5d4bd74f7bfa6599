/**
 * Tokens that a character is at most part of, as today's language models cut texts (o200k_base), by kind: letters of
 * ASCII, all other letters, marks of vowels, digits, white space, anything else.
 */
const COSTS = { ascii: 0.27, letter: 0.41, mark: 1.1, digit: 0.65, space: 0.12, other: 0.75 } as const;

function costOf(character: string): number {
  if (/[A-Za-z]/.test(character)) return COSTS.ascii;
  if (/\s/.test(character)) return COSTS.space;
  if (/\d/.test(character)) return COSTS.digit;
  if (/\p{L}/u.test(character)) return COSTS.letter;
  return /\p{M}/u.test(character) ? COSTS.mark : COSTS.other;
}

/** Returns about how many tokens a text is for a language model, rather too many than too few. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += costOf(character);
  return tokens;
}

/** Returns the longest beginning of a text that is at most so many tokens. */
export function withinTokens(text: string, tokens: number): string {
  let left = tokens;
  let end = 0;
  for (const character of text) {
    left -= costOf(character);
    if (left < 0) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
