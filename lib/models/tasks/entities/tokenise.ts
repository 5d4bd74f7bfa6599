/** A word or mark of a text; start and end in UTF-16 units of the text, end exclusive. */
export type TextToken = { text: string; start: number; end: number };

const INVISIBLE = "\\u00ad\\u200b-\\u200f\\u2060\\u202a-\\u202e\\u2066-\\u2069\\ufeff";
const ARABIC_LETTER = "(?=\\p{Script=Arabic})\\p{L}";
const ARABIC = `(?:${ARABIC_LETTER})(?:${ARABIC_LETTER}|[\\p{M}\\u0640${INVISIBLE}])*`;
const LETTERS = `(?!\\p{Script=Arabic})[\\p{L}\\p{N}](?:(?!\\p{Script=Arabic})[\\p{L}\\p{N}\\p{M}_${INVISIBLE}])*`;
const TOKEN = new RegExp(
  [
    "https?://\\S+|www\\.\\S+",
    "[\\p{L}\\p{N}_.+-]{1,64}@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+",
    "[@#][\\p{L}\\p{N}_\\p{M}]+",
    "\\p{Nd}+(?:[.,:/\\u066b\\u066c]\\p{Nd}+)+",
    "[\u0660-\u0669\u06f0-\u06f9]+",
    "(?:[A-Za-z]\\.){2,}",
    ARABIC,
    `${LETTERS}(?:[-&.](?:${LETTERS})|['\\u2019](?=\\p{L})(?:${LETTERS}))*`,
    "\\.{2,}|-{2,}",
    `[^\\s${INVISIBLE}]`,
  ].join("|"),
  "gu",
);
const CLITIC = /(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$/i;
const TRAILING = new RegExp(`[${INVISIBLE}]+$`, "u");

/**
 * The words and marks of a text from `from` to `to` (UTF-16 units), in order. Links, addresses, handles, tags and
 * numbers are one each; English clitics ('s, n't) stand alone; Arabic letters part from Latin ones and from digits;
 * characters that are not seen part nothing and belong to no token's end.
 */
export function tokenise(text: string, from = 0, to: number = text.length): TextToken[] {
  const tokens: TextToken[] = [];
  const push = (start: number, end: number): void => {
    tokens.push({ text: text.slice(start, end), start, end });
  };
  for (const match of text.slice(from, to).matchAll(TOKEN)) {
    const start = from + match.index;
    const shown = match[0].replace(TRAILING, "");
    const end = start + shown.length;
    const clitic = shown.length > 2 && shown[0] !== "@" && shown[0] !== "#" ? CLITIC.exec(shown) : null;
    if (clitic !== null && clitic.index > 0) {
      push(start, start + clitic.index);
      push(start + clitic.index, end);
    } else push(start, end);
  }
  return tokens;
}
