import { unitToCodePoint } from "./characters.ts";

/** UTF-16 units around a full stop that are read to judge it. */
const AROUND = 40;

const TITLES =
  "Mr|Mrs|Ms|Messrs|Dr|Drs|Prof|St|Gen|Col|Capt|Cpt|Maj|Lt|Sgt|Cpl|Adm|Cmdr|Rep|Sen|Gov|Pres|Rev|Hon|Amb|Atty|Mt|Ft|" +
  "vs|No|Nos|Fig|Vol|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|i\\.e|e\\.g|cf|al|viz|ca";
/** Abbreviations that may end a sentence as well. */
const SHORT_FORMS = "Sr|Jr|Inc|Ltd|Co|Corp|Bros|etc|a\\.m|p\\.m|(?:[A-Za-z]\\.)+[A-Za-z]";
/** Before an abbreviation: nothing, white space, an opening quote or bracket. */
const BEFORE = "(?:^|[\\s(\\[\"'\u201c\u00ab-])";
/** A letter stands for a title or a name, a title with `و` joined to it too. After a number it is a unit. */
const ARABIC =
  "(?<![\\d\u0660-\u0669]\\s?)(?:^|[\\s(\\[\"'\u201c\u00ab])(?:\u0648(?=[\u062f\u0623\u0645]\\.))?(?:[\u0621-\u064a]\\.)*[\u0621-\u064a]";
const NEVER = new RegExp(`${BEFORE}(?:${TITLES}|[A-Za-z])\\.$|${ARABIC}\\.$`, "u");
const PERHAPS = new RegExp(`${BEFORE}(?:${SHORT_FORMS})\\.$`, "u");

/** Words that begin sentences far more often than they stand in names. */
const WORDS =
  "The|An|He|She|It|They|We|You|This|That|These|Those|There|Here|But|So|Yet|If|In|On|After|Before|When|While|Since|" +
  "Because|Although|Though|However|Meanwhile|His|Her|Its|Their|Our|My|What|Who|Why|How|Some|Many|Most|Both|Now|Then|" +
  "Also|Until|During|According|[AI](?=\\s)";
const OPENER = new RegExp(`^(?:${WORDS})(?![\\p{L}\\p{N}.])`, "u");
/** The same behind a word, where a name of code may stand. */
const JOINED_OPENER = new RegExp(
  `^(?:${WORDS}|And|Or|As|At|By|For|From|To|With|All|One|Two|Last|More)(?![\\p{L}\\p{N}.])`,
  "u",
);

/** Returns whether the full stop before `end` belongs to an abbreviation, and does not end the sentence from `from`. */
function endsAbbreviated(text: string, from: number, end: number): boolean {
  const before = text.slice(Math.max(from, end - 16), end);
  if (NEVER.test(before)) return true;
  return (
    PERHAPS.test(before) &&
    !OPENER.test(
      text
        .slice(end, end + AROUND)
        .trimStart()
        .replace(/^["'“(]/, ""),
    )
  );
}

/** Returns whether nothing but the number of a list stands from `from` to `end`: `1.`, `(2)`, `٣.`. */
function isListNumber(text: string, from: number, end: number): boolean {
  if (end - from > AROUND) return false;
  return /^\s{0,20}[([•*-]?\s?(?:[\d\u0660-\u0669\u06f0-\u06f9]{1,3}|[ivxIVX]{1,4})[.)\]]\s{0,9}$/.test(
    text.slice(from, end),
  );
}

/** Latin letters by their Arabic names, as in `سي.إن.إن`. */
const LETTER_NAMES = new Set(
  "اي ايه ا بي سي دي اف جي جيه اتش ايتش كيه كي كاي ال ام ان او كيو كيه ار اس تي يو في دبليو اكس واي زد زي اج بيه تيه".split(
    " ",
  ),
);
/** Endings of the names of sites and files. */
const SITES =
  /^(?:نت|كوم|اورج|اورغ|تي في|com|net|org|gov|edu|info|tv|co|io|me|uk|us|fr|html?|php|pdf|docx?|xlsx?|txt|jpe?g|png|js|ts|py|md|exe|mp[34])(?![\p{L}\p{N}])/iu;
const ADDRESS = /\/|@|\bwww$/i;
/** Words that stops join: a name, or an address. */
const CHAIN = /\p{L}\.\p{L}/u;

/**
 * Returns where a sentence ends at the full stop at `stop` that no white space follows, undefined where it does not;
 * `past` is behind the quotes and brackets after it. A new one begins with an Arabic word, or with a Latin one that has
 * a capital: after a name, which may be one of code, only with a word that begins sentences.
 */
function endsGlued(text: string, from: number, stop: number, past: number): number | undefined {
  const before = text.slice(Math.max(from, stop - AROUND), stop);
  const end = past > stop + 1 && isOpening(text, from, stop) ? stop + 1 : past;
  const after = text.slice(end, end + AROUND).replace(/^["'“«(]/, "");
  const word = /[\p{L}\p{M}\p{N}]{1,40}["'”’»)\]%]?$/u.exec(before)?.[0].replace(/["'”’»)\]%]$/, "") ?? "";
  const token = /\S{1,40}$/.exec(before)?.[0] ?? "";
  if (
    word === "" ||
    ADDRESS.test(token) ||
    CHAIN.test(token) ||
    CHAIN.test(after.split(/\s/, 1)[0] ?? "") ||
    SITES.test(folded(after))
  )
    return undefined;
  if (isListNumber(text, from, stop + 1) || endsAbbreviated(text, from, stop + 1)) return undefined;
  return begins(word, after) ? end : undefined;
}

function begins(word: string, after: string): boolean {
  const isNumber = /^\p{N}+$/u.test(word);
  const letters = word.replace(/[^\p{L}]/gu, "").length;
  if (!isNumber && letters < 2) return false;
  if (/^\p{Script=Arabic}\p{M}*\p{Script=Arabic}/u.test(after)) {
    return isNumber || !LETTER_NAMES.has(folded(word).replace(/^[\u0648\u0641\u0628\u0644\u0643](?=..)/, ""));
  }
  if (JOINED_OPENER.test(after)) return true;
  if (!/^\p{Lu}\p{Ll}/u.test(after)) return false;
  return isNumber || /^\p{Ll}+$/u.test(word) || /\p{Script=Arabic}/u.test(word);
}

/** Letters as they are compared: without marks, hamza on alef and case. */
function folded(text: string): string {
  return text
    .replace(/[\u064b-\u065f\u0640]/g, "")
    .replace(/[\u0622\u0623\u0625]/g, "\u0627")
    .toLowerCase();
}

/** Returns whether the quote after the stop opens one: an even number of straight ones stands before it. */
function isOpening(text: string, from: number, stop: number): boolean {
  const quote = text.charAt(stop + 1);
  if (quote !== '"' && quote !== "'") return false;
  let before = 0;
  for (let at = Math.max(from, stop - 2_000); at < stop; at++) if (text.charAt(at) === quote) before++;
  return before % 2 === 0;
}

/** A stretch of a text, in code points, end exclusive. */
export type Span = { start: number; end: number };

const MARK = /[.!?\u061f\u06d4\u2026\n\u2029\u3002\uff01\uff1f]/g;
const STOPS = ".!?\u061f\u06d4\u2026";
/** After these a sentence ends whatever follows. */
const SENTENCE_END = /[!?\u061f\u06d4]/;
const CLOSERS = ")]}\"'\u00bb\u201d\u2019";
const STARTS_LOWER = /^\s+["'(\u201c]?\p{Ll}/u;

/**
 * Splits a text into sentences, in order, without white space at their ends: at full stops, exclamation and question
 * marks (Latin and Arabic), and at line feeds. A full stop that no white space follows ends one where a new sentence
 * begins behind it (`ثلاثين.وأصيب`, `in 30.Fifty`). None ends after abbreviations and initials, unless a word follows
 * that begins sentences, within numbers and addresses, before a lower-case letter, or after the number of a list.
 */
export function sentences(text: string): Span[] {
  const toCodePoint = unitToCodePoint(text);
  return sentenceUnits(text).map(({ start, end }) => ({ start: toCodePoint(start), end: toCodePoint(end) }));
}

/** {@link sentences} in UTF-16 units. Takes time with the length of the text, whatever stands in it. */
export function sentenceUnits(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    const { end, next } = endAt(text, from, mark.index);
    MARK.lastIndex = next;
    if (end === undefined) continue;
    push(spans, text, from, end);
    from = end;
  }
  push(spans, text, from, text.length);
  return spans;
}

/**
 * Returns where the sentence from `from` ends with the mark at `at`, if it does, and where to look for the next mark.
 */
function endAt(text: string, from: number, at: number): { end?: number; next: number } {
  const character = text.charAt(at);
  if (character === "\n" || character === "\u2029") {
    let next = at + 1;
    while (text.charAt(next) === "\n" || text.charAt(next) === "\u2029") next++;
    return isListNumber(text, from, at) ? { next } : { end: next, next };
  }
  if (!STOPS.includes(character)) return { end: at + 1, next: at + 1 };
  let marks = pastAll(text, at, STOPS);
  let next = pastAll(text, marks, CLOSERS);
  while (next > marks && next < text.length && STOPS.includes(text.charAt(next))) {
    marks = pastAll(text, next, STOPS);
    next = pastAll(text, marks, CLOSERS);
  }
  const isSpaced = next === text.length || /\s/.test(text.charAt(next));
  const isStop = marks === at + 1 && character === ".";
  if (!isSpaced) {
    if (SENTENCE_END.test(text.slice(at, marks))) return { end: marks, next };
    const end = isStop ? endsGlued(text, from, at, next) : undefined;
    return end === undefined ? { next } : { end, next };
  }
  if (isStop && next === marks && (isListNumber(text, from, next) || endsAbbreviated(text, from, next)))
    return { next };
  return STARTS_LOWER.test(text.slice(next, next + 4)) ? { next } : { end: next, next };
}

/** Returns the first place from `at` on whose character is not among `characters`. */
function pastAll(text: string, at: number, characters: string): number {
  let next = at;
  while (next < text.length && characters.includes(text.charAt(next))) next++;
  return next;
}

function push(spans: Span[], text: string, from: number, to: number): void {
  const raw = text.slice(from, to);
  const start = from + raw.length - raw.trimStart().length;
  const end = from + raw.trimEnd().length;
  if (end > start && /[\p{L}\p{N}]/u.test(raw)) spans.push({ start, end });
}

/** A word or mark of a text; start and end in UTF-16 units of the text, end exclusive. */
export type TextToken = { text: string; start: number; end: number };

const INVISIBLE = "\\u00ad\\u200b-\\u200f\\u2060\\u202a-\\u202e\\u2066-\\u2069\\ufeff";
const ARABIC_LETTER = "(?=\\p{Script=Arabic})\\p{L}";
const ARABIC_WORD = `(?:${ARABIC_LETTER})(?:${ARABIC_LETTER}|[\\p{M}\\u0640${INVISIBLE}])*`;
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
    ARABIC_WORD,
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
