const ARABIC = /\p{Script=Arabic}/u;
const LETTER = /\p{L}/u;

/** What a code point says of its text's script: more Arabic, less, or nothing. */
function weigh(point: number): number {
  const char = String.fromCodePoint(point);
  if (ARABIC.test(char)) return 1;
  return LETTER.test(char) ? -1 : 0;
}

const UNKNOWN = 2;

/** The weights of code points below 0x10000, from the first time that they are met. */
const weights = new Int8Array(0x10000).fill(UNKNOWN);

function weightOf(point: number): number {
  const kept = weights[point];
  if (kept === undefined) return weigh(point);
  if (kept !== UNKNOWN) return kept;
  const weight = weigh(point);
  weights[point] = weight;
  return weight;
}

/**
 * The language whose script has most of the letters of `text`: `ar` for Arabic script, `en` for any other; undefined
 * without letters.
 */
export function scriptLanguage(text: string): "ar" | "en" | undefined {
  let balance = 0;
  let letters = 0;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    if (point > 0xffff) i++;
    const weight = weightOf(point);
    balance += weight;
    if (weight !== 0) letters++;
  }
  if (letters === 0) return undefined;
  return balance >= 0 ? "ar" : "en";
}
