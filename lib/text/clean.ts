import { hash } from "node:crypto";
import { decodeHTMLStrict } from "entities/decode";
import { boundMarks } from "../std/mod.ts";
import { foldSpaces, foldWhiteSpace, isOtherWhiteSpace } from "./characters.ts";

/** Elements that stand within a line: taking their tags away must not part the word that they are in. */
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const NAME = /[a-z][^\s/>]*/iy;
/** An end of the kept text that could become markup when the text after a removed tag is put against it. */
const HALF_OPEN = /<(?:[!/?][^\s>]{0,7})?$/;

/**
 * Takes HTML markup out of a text: tags with their attributes, comments, declarations, and the bodies of `script` and
 * `style`; what CDATA sections hold stays. A removed tag leaves a space, unless it is an inline one. A `<` that opens
 * no tag (`a < b`, `<3`, or one that is never closed) is text, and so is what follows a comment, script or style that
 * is never closed: HTML would swallow the rest, but of a text that somebody sent nothing may be lost. One pass: linear
 * in the length of the text.
 */
function stripMarkup(text: string): string {
  if (!text.includes("<")) return text;
  const s = text.includes("<![CDATA[") ? text.replace(/<!\[CDATA\[|\]\]>/g, " ") : text;
  const scan = { tagEnd: tagEnds(s), closing: closings(s) };
  const lastClose = s.lastIndexOf(">");
  const pieces: string[] = [];
  let tail = "";
  let from = 0;
  for (let at = s.indexOf("<"); at >= 0 && at < lastClose; ) {
    const markup = markupAt(s, at, scan);
    if (markup === undefined) {
      at = s.indexOf("<", at + 1);
      continue;
    }
    const piece = s.slice(from, at);
    tail = (tail + piece.slice(-9)).slice(-9);
    const gap = !markup.joins || HALF_OPEN.test(tail) ? " " : "";
    tail += gap;
    pieces.push(piece + gap);
    from = markup.end;
    at = s.indexOf("<", from);
  }
  pieces.push(s.slice(from));
  return pieces.join("");
}

/** A piece of markup: where it ends, and whether the texts on its two sides belong together. */
type Markup = { end: number; joins: boolean };

/** The offsets after the `>` that closes a tag, and after what closes a comment, script or style. */
type Scan = {
  tagEnd(from: number): number;
  /** Undefined when it is never closed. */
  closing(what: keyof typeof CLOSING, from: number): number | undefined;
};

const CLOSING = {
  comment: /-->/g,
  script: /<\/script(?=[\s/>])[^>]*>?/gi,
  style: /<\/style(?=[\s/>])[^>]*>?/gi,
};

function markupAt(s: string, at: number, { tagEnd, closing }: Scan): Markup | undefined {
  if (s.startsWith("<!--", at)) return { end: closing("comment", at + 4) ?? at + 4, joins: true };
  const sign = s[at + 1];
  const special = sign === "/" || sign === "!" || sign === "?";
  NAME.lastIndex = at + (special ? 2 : 1);
  const name = NAME.exec(s)?.[0];
  if (name === undefined) return undefined;
  const element = name.slice(0, 12).toLowerCase();
  const end = tagEnd(at + 1 + name.length);
  if (special) return { end, joins: sign === "/" && INLINE.has(element) };
  if (element === "script" || element === "style") return { end: closing(element, end) ?? end, joins: false };
  return { end, joins: INLINE.has(element) };
}

/** Finds what closes; what is not there from some place on is not looked for again. */
function closings(s: string): Scan["closing"] {
  const missing = new Set<string>();
  return (what, from) => {
    if (missing.has(what)) return undefined;
    const closing = CLOSING[what];
    closing.lastIndex = from;
    const match = closing.exec(s);
    if (match === null) missing.add(what);
    return match === null ? undefined : match.index + match[0].length;
  };
}

/**
 * Finds the offset after the `>` that closes a tag, passing over quoted attribute values. Once a quote has turned out
 * not to be closed, quotes mean nothing for the rest of the text: the second scan of a stretch is also the last.
 */
function tagEnds(s: string): (from: number) => number {
  let quotes = true;
  return (from) => {
    let value = false;
    for (let i = from; quotes && i < s.length; i++) {
      const c = s.charCodeAt(i);
      if (c === 0x3e) return i + 1;
      if (value && (c === 0x22 || c === 0x27)) {
        const close = s.indexOf(s.charAt(i), i + 1);
        if (close < 0) break;
        i = close;
        value = false;
      } else if (c === 0x3d) value = true;
      else if (c > 0x20) value = false;
    }
    quotes = false;
    const close = s.indexOf(">", from);
    return close < 0 ? s.length : close + 1;
  };
}

/** Tatweel and the characters without width that folding takes out. */
const INVISIBLE = /[\u0640\u200b-\u200f\u2060\ufeff]/;

const UNKNOWN = 0;
const PLAIN = 1;
const OTHER = 2;

/** Class of each UTF-16 unit, as far as one was met. */
const kinds = new Uint8Array(0x10000);

/** The texts that were plain last: a text is cleaned and then folded, and needs to be looked through but once. */
const recent: [string, string] = ["", ""];

/**
 * Returns whether a text consists of plain characters alone: it is well-formed, NFKC, and has no white space but
 * U+0020.
 */
export function isPlain(s: string): boolean {
  if (s === recent[0] || s === recent[1]) return true;
  for (let i = 0; i < s.length; i++) {
    const unit = s.charCodeAt(i);
    if (kinds[unit] !== PLAIN && !isPlainUnit(unit)) return false;
  }
  recent[1] = recent[0];
  recent[0] = s;
  return true;
}

/**
 * Returns whether cleaning and folding leave a UTF-16 unit as it is whatever stands beside it, but for `<`, `&` and
 * runs of spaces: letters, digits and punctuation of Latin and Arabic that are neither combining nor compatibility
 * characters, and the space. Nearly every text consists of them alone.
 */
function isPlainUnit(unit: number): boolean {
  if (kinds[unit] === UNKNOWN) {
    const char = String.fromCharCode(unit);
    const block =
      (unit >= 0x20 && unit < 0x250) || (unit >= 0x600 && unit < 0x700) || (unit >= 0x2010 && unit < 0x2100);
    const stable = !/\p{M}/u.test(char) && !INVISIBLE.test(char) && char.normalize("NFKC") === char;
    kinds[unit] = block && stable && !isOtherWhiteSpace(unit) ? PLAIN : OTHER;
  }
  return kinds[unit] === PLAIN;
}

/**
 * Returns the form in which titles and contents are stored: markup stripped, entities decoded once (`&amp;lt;` becomes
 * `&lt;`), every run of white space one space, U+0000 dropped, lone surrogates replaced by U+FFFD as in any UTF-8 text.
 */
export function cleanText(s: string): string {
  if (isPlain(s) && !s.includes("<") && !s.includes("&")) return foldSpaces(s);
  let text = s.includes("\0") ? s.replaceAll("\0", "") : s;
  if (!text.isWellFormed()) text = text.toWellFormed();
  text = stripMarkup(text);
  if (text.includes("&")) text = decodeHTMLStrict(text);
  return foldWhiteSpace(text);
}

const NUMBER = /^[+\-−–]?\p{Nd}{1,4}$/u;
const RAISED = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];

/**
 * Returns how a number in `<sup>` or `<sub>` is written in plain text behind what stands before it, so that the two do
 * not make another number: `10^6`, `1010_2`, `m²`. Undefined for another text, and where nothing is to be told apart,
 * as in `CO2` and `21st`.
 */
export function scriptText(tag: string, inner: string, before: string): string | undefined {
  const text = inner.trim();
  if ((tag !== "sup" && tag !== "sub") || !NUMBER.test(text)) return undefined;
  const isBehindDigit = /\p{Nd}$/u.test(before);
  if (tag === "sub") return isBehindDigit ? `_${text}` : undefined;
  if (isBehindDigit) return `^${text}`;
  return text
    .replace(/\p{Nd}/gu, (digit) => RAISED[digitValue(digit)] ?? digit)
    .replace(/[-−–]/, "⁻")
    .replace("+", "⁺");
}

/** Returns the value of a decimal digit: those of a script stand in a row from zero on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
  return code - zero;
}

const ARABIC_LETTER = /(?=\p{Script=Arabic})\p{L}/u;
const MARKS = /[\p{M}\u0640]+/gu;
/** Characters without width, marks of direction, soft hyphens: neither seen nor part of a word. */
export const UNSEEN = /[\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/;
const ALL_UNSEEN = new RegExp(`${UNSEEN.source}+`, "g");

/** Letters written in more than one way, and foreign ones, by the letter that they are taken for. */
const LETTERS: Record<string, string> = {
  "\u0622": "ا",
  "\u0623": "ا",
  "\u0625": "ا",
  "\u0671": "ا",
  "\u0649": "ي",
  "\u06cc": "ي",
  "\u06d2": "ي",
  "\u0629": "ه",
  "\u06c1": "ه",
  "\u06be": "ه",
  "\u06d5": "ه",
  "\u06c0": "ه",
  "\u06a9": "ك",
  "\u06af": "ك",
  "\u067e": "ب",
  "\u0686": "ج",
  "\u06a4": "ف",
};
const VARIANT = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * Returns the form in which the words of documents and queries are compared: NFKC, lower case, without marks, tatweel
 * and zero-width characters; hamza on alef, final ya and ta marbuta, Persian letters and Arabic-Indic digits folded; no
 * apostrophe or stop inside, no possessive 's. May hold spaces: some characters stand for several words.
 */
export function normalForm(word: string): string {
  const plain = boundMarks(word)
    .normalize("NFKC")
    .toLowerCase()
    .replace(ALL_UNSEEN, "")
    .replace(DIGIT, (digit) => String(digit.charCodeAt(0) & 15));
  if (ARABIC_LETTER.test(plain)) {
    return plain.replace(MARKS, "").replace(VARIANT, (letter) => LETTERS[letter] ?? letter);
  }
  return plain
    .replace(/['\u2019]s$/, "")
    .replace(/['\u2019.]/g, "")
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC");
}

const INVISIBLES = new RegExp(INVISIBLE, "g");

/**
 * Returns the form in which two texts count as the same: NFKC, without tatweel and zero-width characters (U+200B to
 * U+200F, U+2060, U+FEFF), white space folded. Case and diacritics stay.
 */
export function fold(s: string): string {
  return foldWhiteSpace(compose(s));
}

/** SHA-256 (hex) of the folded title, a line feed, and the folded content; both as {@link cleanText} returns them. */
export function contentHash(title: string, content: string): string {
  return hash("sha256", `${foldCleaned(title)}\n${foldCleaned(content)}`, "hex");
}

/** {@link fold} of a text whose white space is folded already: what composing leaves as it is needs no second look. */
function foldCleaned(s: string): string {
  const composed = compose(s);
  return composed === s ? s : foldWhiteSpace(composed);
}

function compose(s: string): string {
  if (isPlain(s)) return s;
  const composed = boundMarks(s).normalize("NFKC");
  if (!INVISIBLE.test(composed)) return composed;
  // Characters that an invisible one held apart may compose now.
  return boundMarks(composed.replace(INVISIBLES, "")).normalize("NFKC");
}
