import { sentenceUnits } from "./sentences.ts";

/** A word or mark of a text; start and end in UTF-16 units of the text, end exclusive. */
export type TextToken = { text: string; start: number; end: number };

const INVISIBLE = "\\u00ad\\u200b-\\u200f\\u2060\\u202a-\\u202e\\u2066-\\u2069\\ufeff";
const ARABIC_LETTER = "(?=\\p{Script=Arabic})\\p{L}";
const ARABIC = `(?:${ARABIC_LETTER})(?:${ARABIC_LETTER}|[\\p{M}\\u0640${INVISIBLE}])*`;
const LETTERS = `(?!\\p{Script=Arabic})[\\p{L}\\p{N}](?:(?!\\p{Script=Arabic})[\\p{L}\\p{N}\\p{M}_${INVISIBLE}])*`;
/** Marks behind a link that end a sentence or a quotation, and not the link. */
const BEHIND_LINK = ".,:;!?'\")\\]\u060c\u061b\u061f\u00bb\u201d\u2019\u2026";
const TOKEN = new RegExp(
  [
    `(?:https?://|www\\.)\\S*[^\\s${BEHIND_LINK}]`,
    "[\\p{L}\\p{N}_.+-]{1,64}@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+",
    "[@#][\\p{L}\\p{N}_\\p{M}]+",
    "\\p{Nd}+(?:[.,:/\\u066b\\u066c]\\p{Nd}+)+",
    "[0-9]*[\u0660-\u0669\u06f0-\u06f9]\\p{Nd}*",
    "(?:[A-Za-z]\\.){2,}",
    ARABIC,
    `${LETTERS}(?:[-&.](?:${LETTERS})|['\\u2019](?=\\p{L})(?:${LETTERS}))*`,
    "\\.{2,}|-{2,}",
    `[^\\s${INVISIBLE}]`,
  ].join("|"),
  "gu",
);
const CLITIC = /(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$/i;
const IS_INVISIBLE = new RegExp(`[${INVISIBLE}]`, "u");

/**
 * Returns the words and marks of a text from `from` to `to` (UTF-16 units), in order. Links, addresses, handles, tags
 * and numbers are one each; English clitics ('s, n't) stand alone; Arabic letters part from Latin ones and from digits;
 * characters that are not seen part nothing and belong to no token's end.
 */
export function tokenise(text: string, from = 0, to: number = text.length): TextToken[] {
  const tokens: TextToken[] = [];
  const push = (start: number, end: number): void => {
    tokens.push({ text: text.slice(start, end), start, end });
  };
  for (const match of text.slice(from, to).matchAll(TOKEN)) {
    const start = from + match.index;
    const shown = withoutTrailing(match[0]);
    const end = start + shown.length;
    const clitic = shown.length > 2 && shown[0] !== "@" && shown[0] !== "#" ? CLITIC.exec(shown) : null;
    if (clitic !== null && clitic.index > 0) {
      push(start, start + clitic.index);
      push(start + clitic.index, end);
    } else push(start, end);
  }
  return tokens;
}

/** Returns a word without the invisible characters at its end; there may be as many within it as an article is long. */
function withoutTrailing(word: string): string {
  let end = word.length;
  while (end > 0 && IS_INVISIBLE.test(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

/** Holds what nobody sees: controls, and halves of surrogate pairs. */
const UNPRINTABLE = /^[\p{Cc}\p{Cs}]$/u;

/**
 * Returns the sentences of a text as tokens, none of them empty; marks between two of them belong to the one before.
 * Whatever takes texts apart by words reads these, so that its answers can be laid side by side.
 */
export function tokenSentences(text: string): TextToken[][] {
  const starts = sentenceUnits(text).map(({ start }) => start);
  const out: TextToken[][] = [];
  for (let i = 0; i < Math.max(1, starts.length); i++) {
    const tokens = tokenise(text, i === 0 ? 0 : starts[i], starts[i + 1] ?? text.length);
    const shown = tokens.filter((token) => !UNPRINTABLE.test(token.text));
    if (shown.length > 0) out.push(shown);
  }
  return out;
}
