const SURROGATE = /[\ud800-\udfff]/;

/** Length of `s` in code points; a lone surrogate counts as one. */
export function codePointLength(s: string): number {
  if (!SURROGATE.test(s)) return s.length;
  let length = 0;
  for (let i = 0; i < s.length; i += unitsAt(s, i)) length++;
  return length;
}

/** `s` from code point `start` to `end` (exclusive; default: the end). Offsets beyond the text are cut to it. */
export function codePointSlice(s: string, start: number, end = Number.POSITIVE_INFINITY): string {
  if (!SURROGATE.test(s)) return s.slice(Math.max(0, start), Math.max(0, end));
  const from = codePointToUnit(s, start);
  return s.slice(from, from + codePointToUnit(s.slice(from), end - Math.max(0, start)));
}

/** Returns a function that slices `s`, as {@link codePointSlice} does; many cost one pass over the text in all. */
export function codePointSlicer(s: string): (start: number, end: number) => string {
  if (!SURROGATE.test(s)) return (start, end) => s.slice(Math.max(0, start), Math.max(0, end));
  const points = [...s];
  return (start, end) => points.slice(Math.max(0, start), Math.max(0, end)).join("");
}

/** Returns the UTF-16 offset of code point `offset` in `s`, cut to the text. */
export function codePointToUnit(s: string, offset: number): number {
  if (!SURROGATE.test(s)) return Math.min(Math.max(0, offset), s.length);
  let unit = 0;
  for (let n = 0; n < offset && unit < s.length; n++) unit += unitsAt(s, unit);
  return unit;
}

/**
 * Returns a converter of UTF-16 offsets in `s` to code point offsets. Offsets that never decrease from call to call
 * cost one pass over the text in all; a smaller one starts again.
 */
export function unitToCodePoint(s: string): (unit: number) => number {
  if (!SURROGATE.test(s)) return (unit) => Math.min(unit, s.length);
  let unit = 0;
  let point = 0;
  return (target) => {
    if (target < unit) unit = point = 0;
    while (unit < target && unit < s.length) {
      unit += unitsAt(s, unit);
      point++;
    }
    return point;
  };
}

function unitsAt(s: string, i: number): 1 | 2 {
  return (s.charCodeAt(i) & 0xfc00) === 0xd800 && (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

const CONTROLS = /(?:(?![\s\u0085])\p{Cc})+/gu;
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const MARKS = /[\u061c\u200e\u200f]/g;

/**
 * Returns a text without control characters (one between two letters becomes a space) and without the characters that
 * open or close a direction of their own (bidirectional embeddings, overrides and isolates): one that is left open
 * turns the text behind it round wherever it is shown. White space, joiners and direction marks stay.
 */
export function withoutControls(text: string): string {
  return text.replace(DIRECTIONS, "").replace(CONTROLS, (run, at: number, whole: string) => {
    const isBetween = /\S/.test(whole.charAt(at - 1)) && /\S/.test(whole.charAt(at + run.length));
    return isBetween ? " " : "";
  });
}

/** Returns a title or name without what {@link withoutControls} drops and without direction marks. */
export function withoutMarks(text: string): string {
  return withoutControls(text).replace(MARKS, "");
}

/**
 * Characters that a reader does not see and that part no word: soft hyphens, places where a line may break, word
 * joiners, byte order marks, operators without a sign, anchors of annotations.
 */
const INVISIBLE = /[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]+/g;
/** A joiner shapes the letter before it, as Persian needs it, or the picture; behind these it shapes nothing. */
const IDLE_JOINER = /(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Z}\s])[\u200c\u200d]+/gu;
/** Between two letters a direction mark turns nothing. */
const IDLE_MARK = /(?<=[\p{L}\p{M}])[\u061c\u200e\u200f]+(?=\p{L})/gu;
const ANY = /[\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]/;

/**
 * Returns a text as it is read: without characters that nobody sees. Kept are joiners behind letters that they shape
 * (Arabic, Persian, Indic scripts) and between pictures, and direction marks beside anything but two letters, since
 * they order what is shown.
 */
export function withoutInvisible(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(INVISIBLE, "").replace(IDLE_JOINER, "").replace(IDLE_MARK, "");
}

// The characters of Unicode's White_Space property. Not /\s/: that has U+FEFF, which joins words, and lacks U+0085.
const OTHER =
  "\t\n\v\f\r\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
/** A run that is no single space: the single ones, by far the most, are left alone. */
const RUN = new RegExp(`[ ${OTHER}]{2,}|[${OTHER}]`, "g");

/** Marks the UTF-16 units of white space other than U+0020: twice as fast as a search in so many ranges. */
const IS_OTHER = new Uint8Array(0x10000);
for (const unit of OTHER) IS_OTHER[unit.charCodeAt(0)] = 1;

/** Returns whether a UTF-16 unit is white space other than U+0020. */
export function isOtherWhiteSpace(unit: number): boolean {
  return IS_OTHER[unit] === 1;
}

/** Returns every run of white space as one space, none at the ends. */
export function foldWhiteSpace(s: string): string {
  return hasOther(s) ? s.replace(RUN, " ").trim() : foldSpaces(s);
}

/** Folds the white space of a text that has none but U+0020. */
export function foldSpaces(s: string): string {
  return s.startsWith(" ") || s.endsWith(" ") || s.includes("  ") ? s.replace(RUN, " ").trim() : s;
}

function hasOther(s: string): boolean {
  for (let i = 0; i < s.length; i++) if (IS_OTHER[s.charCodeAt(i)] === 1) return true;
  return false;
}
