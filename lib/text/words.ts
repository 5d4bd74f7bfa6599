import { UNSEEN } from "./clean.ts";

/** Classes of characters within words. */
const SEPARATOR = 0;
const LETTER = 1;
const ARABIC = 2;
const MARK = 3;
const INVISIBLE = 4;
const APOSTROPHE = 5;
const STOP = 6;
const ALONE = 7;
const UNKNOWN = 255;

const classes = new Uint8Array(0x10000).fill(UNKNOWN);
for (const c of "'\u2019") classes[c.charCodeAt(0)] = APOSTROPHE;
classes[0x2e] = STOP;
classes[0x640] = MARK;

/**
 * Calls `visit` with the start and end (UTF-16 units) of each word of a text, in order. A word is a run of letters,
 * digits and marks of one kind of script: Arabic letters part from Latin ones and from digits (`و15`, `لCNN`). Tatweel
 * and zero-width characters do not part a word; an apostrophe between letters does not either, nor do the stops of an
 * acronym (`U.S.`). Characters of scripts written without spaces are words of their own.
 */
export function forEachWord(text: string, visit: (start: number, end: number) => void): void {
  const length = text.length;
  let start = -1;
  let end = 0;
  let script = SEPARATOR;
  for (let i = 0; i < length; i++) {
    const codeClass = classes[text.charCodeAt(i)] ?? UNKNOWN;
    if (codeClass === script && start >= 0) {
      end = i + 1;
      continue;
    }
    const kind = codeClass === UNKNOWN ? classAt(text, i) : codeClass;
    if (kind === LETTER || kind === ARABIC) {
      if (kind !== script && start >= 0) {
        visit(start, end);
        start = -1;
      }
      script = kind;
      if (start < 0) start = i;
      if (isHighSurrogate(text, i)) i++;
      end = i + 1;
    } else if (start < 0) {
      if (kind === ALONE) {
        const last = isHighSurrogate(text, i) ? i + 1 : i;
        visit(i, last + 1);
        i = last;
      }
    } else if (kind === MARK) end = i + 1;
    else if (kind === SEPARATOR || kind === ALONE || !joins(text, i, kind, start, script)) {
      visit(start, end);
      start = -1;
      if (kind === ALONE) i--;
    }
  }
  if (start >= 0) visit(start, end);
}

function joins(text: string, i: number, kind: number, start: number, script: number): boolean {
  if (kind === INVISIBLE) return true;
  if (script !== LETTER || classAt(text, i + 1) !== LETTER) return false;
  if (kind === APOSTROPHE) return true;
  // The stop of an acronym: one letter on each side.
  const before = i - 1 === start || text.charCodeAt(i - 2) === 0x2e;
  return before && !isDigit(text, i - 1) && !isDigit(text, i + 1) && classAt(text, i + 2) !== LETTER;
}

function classAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (Number.isNaN(code)) return SEPARATOR;
  const codeClass = classes[code];
  if (codeClass !== undefined && codeClass !== UNKNOWN) return codeClass;
  if (code >= 0xd800 && code <= 0xdfff) return classify(String.fromCodePoint(text.codePointAt(i) ?? 0));
  const kind = classify(String.fromCharCode(code));
  classes[code] = kind;
  return kind;
}

function classify(character: string): number {
  if (UNSEEN.test(character)) return INVISIBLE;
  if (/\p{M}/u.test(character)) return MARK;
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
      character,
    )
  ) {
    return ALONE;
  }
  if (/\p{N}/u.test(character)) return LETTER;
  if (/\p{L}/u.test(character)) return /\p{Script=Arabic}/u.test(character) ? ARABIC : LETTER;
  return SEPARATOR;
}

function isHighSurrogate(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 0x30 && code <= 0x39;
}

/**
 * Calls `visit` with the start and end (UTF-16 units) of each word of a text as searches take them, in order: as
 * {@link forEachWord}, but Latin letters part from digits (`iPhone17`, `10kg`; not `H1N1`, `20th`, `3D`), and `عبد`
 * from a name with the article (`عبدالله`). The last group of a number (`73,200`) begins where the number does: the
 * groups before it are words of their own.
 */
export function forEachSearchWord(text: string, visit: (start: number, end: number) => void): void {
  let number = 0;
  let numberEnd = -1;
  forEachWord(text, (start, end) => {
    if (start >= numberEnd) {
      number = start;
      numberEnd = groupedNumberEnd(text, start, end);
    }
    if (end <= numberEnd) visit(end === numberEnd ? number : start, end);
    else if (text.charCodeAt(start) < 0x250) visitLatin(text, start, end, visit);
    else visitArabic(text, start, end, visit);
  });
}

const DIGIT = "[0-9\u0660-\u0669\u06f0-\u06f9]";
/** The comma, its Arabic sisters, and the spaces at which no line is broken and the thin one. */
const SEPARATOR_OF_GROUPS = /[,\u060c\u066c\u00a0\u2009\u202f]/;
/** Groups of three digits after the first one: longer runs are no number that anybody looks for. */
const MAX_GROUPS = 6;
/** A first group without a zero before it, and groups of three after the same separator. */
const GROUPED_NUMBER = new RegExp(
  `(?![0\u0660\u06f0])${DIGIT}{1,3}(${SEPARATOR_OF_GROUPS.source})${DIGIT}{3}(?:\\1${DIGIT}{3}){0,${MAX_GROUPS - 1}}(?!\\1?${DIGIT})`,
  "y",
);
const ENDS_NUMBER = new RegExp(`${DIGIT}(?:[.\u066b]|${SEPARATOR_OF_GROUPS.source})$`);

/**
 * Returns where the number ends whose first group is the word from `start` to `end` of a text, -1 where it is none:
 * `73,200`, `٧٣٬٢٠٠` or `73 200` with a no-break space, not `3,5`, `1,2,3` or `0,500`.
 */
function groupedNumberEnd(text: string, start: number, end: number): number {
  if (end - start > 3 || !SEPARATOR_OF_GROUPS.test(text.charAt(end))) return -1;
  if (ENDS_NUMBER.test(text.slice(Math.max(0, start - 2), start))) return -1;
  GROUPED_NUMBER.lastIndex = start;
  return GROUPED_NUMBER.test(text) ? GROUPED_NUMBER.lastIndex : -1;
}

/** Returns the groups of a word that is a number of several; undefined for other words. */
export function groupsOf(word: string): string[] | undefined {
  const end = groupedNumberEnd(word, 0, word.search(SEPARATOR_OF_GROUPS));
  return end === word.length ? word.split(SEPARATOR_OF_GROUPS) : undefined;
}

/**
 * Units that may be written apart from the number before them. Ordinals, decades and names (`3Com`, `4chan`) stay
 * whole.
 */
const UNIT =
  /^(?:[kmcµ]?g|[kcmn]m|[mc]?l|lbs?|oz|ft|yds?|mph|kph|kmh|[bmt]n|[kmgt]b|[kmgt]wh?|[km]?hz|ghz|am|pm|px|hp|mah|dpi|mm|kg)$/i;

/**
 * Returns a word of letters and digits as its parts: two, or three of which the letters are no single ones. Codes of
 * two letters and more digits (`PL480`) stay whole.
 */
function visitLatin(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  let [first, second, changes] = [0, 0, 0];
  for (let i = start + 1; i < end; i++) {
    if (isDigit(text, i) === isDigit(text, i - 1)) continue;
    changes++;
    if (changes === 1) first = i;
    else if (changes === 2) second = i;
    else break;
  }
  const isCode = first - start === 2 && end - first > 2;
  const isName = changes === 1 && (isDigit(text, start) ? !UNIT.test(text.slice(first, end)) : isCode);
  const isModel = changes === 2 && !isDigit(text, start) && first - start > 1 && end - second > 1;
  if (changes === 0 || isName || (changes > 1 && !isModel)) {
    visit(start, end);
    return;
  }
  visit(start, first);
  if (changes === 2) visit(first, second);
  visit(changes === 2 ? second : first, end);
}

const JOINED = "وفبكل";

function visitArabic(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  const from = JOINED.includes(text.charAt(start)) ? start + 1 : start;
  if (end - from < 7 || !text.startsWith("عبدال", from)) visit(start, end);
  else {
    visit(start, from + 3);
    visit(from + 3, end);
  }
}
