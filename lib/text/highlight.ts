import { at } from "../std/mod.ts";
import { queryWords } from "./query.ts";
import { type WordTerms, wordTermsAt } from "./word-terms.ts";
import { forEachSearchWord } from "./words.ts";

/** Terms of a query, analysed once for many texts. */
export type QueryTerms = {
  readonly likely: LikelyWord;
  /** Holds 1 for each kind ({@link kindOf}) that a lemma of the query has. */
  readonly kinds: Uint8Array;
  /** Returns the word of the query that a word with these terms is; {@link NONE} for none. */
  wordOf(terms: WordTerms): number;
};

/** Parts of a text around what a query finds. HTML: `<mark>` around each matching word, the rest escaped. */
export type Highlighted = {
  /** The best fragment, or the beginning of the text when nothing matches. */
  snippet: string;
  /** The fragments that match, best first. */
  fragments: string[];
};

/** Stands for a word that the query does not ask for. */
const NONE = -1;

/** A word of the text, and which word of the query it is. */
type Match = { start: number; end: number; word: number };

/** Analyses a query for {@link highlight}. */
export function queryTerms(query: string): QueryTerms {
  const sought = queryWords(query);
  const words = new Map(
    sought.flatMap(({ lemmas }, word) => Array.from(lemmas, (lemma): [string, number] => [lemma, word])),
  );
  const kinds = new Uint8Array(KINDS);
  for (const lemma of words.keys()) kinds[kindOf(lemma)] = 1;
  return {
    likely: likelyWords(sought.flatMap(({ terms }) => terms.stems)),
    kinds,
    wordOf({ lemmas }) {
      for (const lemma of lemmas) {
        const word = words.get(lemma);
        if (word !== undefined) return word;
      }
      return NONE;
    },
  };
}

/**
 * Returns the best parts of a text for a query. What is marked, whole as it stands in the text, is a word of the query,
 * one of its inflected forms, or such a form with clitics: not every word that the keyword index finds for it, which
 * goes by stems and roots. A fragment has about `fragmentLength` UTF-16 units and begins and ends between words.
 */
export function highlight(
  original: string | ScannedText,
  query: string | QueryTerms,
  { maxFragments = 3, fragmentLength = 160 }: { maxFragments?: number; fragmentLength?: number } = {},
): Highlighted {
  const terms = typeof query === "string" ? queryTerms(query) : query;
  const scanned = typeof original === "string" ? new ScannedText(original) : original;
  const { text } = scanned;
  const matches = findMatches(scanned, terms);
  const windows = bestWindows(matches, fragmentLength, maxFragments);
  const marks = joined(matches);
  const fragments = windows.map((window) => render(text, frame(text, window, fragmentLength), marks));
  const lead = { start: 0, end: wordEnd(text, Math.min(text.length, fragmentLength)) };
  return { snippet: fragments[0] ?? render(text, lead, []), fragments };
}

function findMatches(text: ScannedText, { likely, kinds, wordOf }: QueryTerms): Match[] {
  const matches: Match[] = [];
  const { starts, ends, letters } = text.words;
  for (let i = 0; i < letters.length; i++) {
    if (!likely(letters[i] ?? 0) || !text.mayBe(i, kinds)) continue;
    const word = wordOf(text.termsOf(i));
    if (word === NONE) continue;
    const start = at(starts, i);
    // A number in groups begins where its first group does, which may have matched by itself.
    while ((matches.at(-1)?.start ?? -1) >= start) matches.pop();
    matches.push({ start, end: at(ends, i), word });
  }
  return matches;
}

type Window = { start: number; end: number; score: number };

/**
 * Up to `count` stretches of at most `length` from one match to another that do not overlap: those with the most
 * different terms first, then the earliest.
 */
function bestWindows(matches: readonly Match[], length: number, count: number): Window[] {
  /** The last window that each word of the query was seen in. */
  const seenIn: number[] = [];
  const windows = matches.map((first, from): Window => {
    let end = first.end;
    let words = 0;
    let held = 0;
    for (let i = from; i < matches.length; i++) {
      const match = matches[i];
      if (match === undefined || match.end - first.start > length) break;
      if (seenIn[match.word] !== from) words++;
      seenIn[match.word] = from;
      end = match.end;
      held++;
    }
    return { start: first.start, end: Math.max(end, first.end), score: words * 100 + Math.min(held, 99) };
  });
  windows.sort((a, b) => b.score - a.score || a.start - b.start);
  const chosen: Window[] = [];
  const margin = length / 2;
  for (const window of windows) {
    if (chosen.length === count) break;
    if (chosen.every((other) => window.start >= other.end + margin || window.end <= other.start - margin)) {
      chosen.push(window);
    }
  }
  return chosen;
}

/** Returns the window with as much of the text around it as makes it `length` long, cut between words. */
function frame(text: string, window: Window, length: number): { start: number; end: number } {
  const start = runEdge(text, window.start, -1);
  const end = runEdge(text, window.end, 1);
  const room = Math.max(0, length - (end - start));
  let from = Math.max(0, start - Math.floor(room / 3));
  const to = Math.min(text.length, Math.max(end, from + length));
  if (from > 0) {
    const space = text.indexOf(" ", from);
    from = space >= 0 && space < start ? space + 1 : start;
  }
  return { start: from, end: Math.max(end, wordEnd(text, to)) };
}

/** Longest half of a word that a fragment is made longer by. */
const HALF_WORD = 64;
const LETTER = /[\p{Script=Latin}\p{Script=Arabic}\p{Nd}]/u;

/** Returns the next place from `at` on, by steps of `step`, that no letters go across: a match may be half a word. */
function runEdge(text: string, at: number, step: 1 | -1): number {
  let edge = at;
  const isWithin = (place: number) => LETTER.test(text.charAt(place - 1)) && LETTER.test(text.charAt(place));
  while (Math.abs(edge - at) < HALF_WORD && isWithin(edge)) edge += step;
  return edge;
}

/** Returns the end of the last word that ends at or before `at`. */
function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  if (space > 0 && at - space < 60) return space;
  // A run without spaces is cut between code points.
  return /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at;
}

function render(text: string, { start, end }: { start: number; end: number }, marks: readonly Match[]): string {
  let html = start > 0 ? "…" : "";
  let at = start;
  for (const match of marks) {
    if (match.end > end) break;
    if (match.start < start) continue;
    html += `${escapeHtml(text, at, match.start)}<mark>${escapeHtml(text, match.start, match.end)}</mark>`;
    at = match.end;
  }
  return html + escapeHtml(text, at, end) + (end < text.length ? "…" : "");
}

/** Matches that touch each other as one: `iPhone17` is two words, and one to who reads it. */
function joined(matches: readonly Match[]): Match[] {
  const whole: Match[] = [];
  for (const match of matches) {
    const last = whole.at(-1);
    if (last?.end === match.start) last.end = match.end;
    else whole.push({ ...match });
  }
  return whole;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const SPECIAL = /[&<>"']/;
const SPECIALS = /[&<>"']/g;

/** Returns the text from `start` to `end`. */
function escapeHtml(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  return SPECIAL.test(part) ? part.replace(SPECIALS, (character) => ESCAPES[character] ?? character) : part;
}

const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]));
const MARK_OR_ESCAPE = /<\/?mark>|&(?:amp|lt|gt|quot|#39);/g;

/** Returns the text of a snippet or fragment: without marks, and nothing escaped. */
export function plainSnippet(html: string): string {
  return html.replace(MARK_OR_ESCAPE, (part) => CHARACTERS.get(part) ?? "");
}

/** Returns whether a word with these letters, as {@link lettersOf} gives them, can have one of the stems. */
type LikelyWord = (letters: number) => boolean;

/**
 * Returns a cheap test whether a word of a text can be a form of a word with one of these stems; those with other than
 * plain letters always can. An Arabic word must have the firm letters of a stem, all of them and no others, and its
 * lasting letters at least; other words must begin with the first three letters of one.
 */
export function likelyWords(stems: readonly string[]): LikelyWord {
  const arabic = likelyArabic(stems.filter((stem) => /^\p{Script=Arabic}/u.test(stem)));
  const others = likelyByBeginning(stems);
  return (letters) => ((letters & LATIN) === 0 ? arabic(letters) : others(letters));
}

/**
 * Returns what of the letters of the word from `start` to `end` of a text tells unlikely words apart: bits of a number.
 */
export function lettersOf(text: string, start: number, end: number): number {
  return isArabic(text.charCodeAt(start)) ? arabicLetters(text, start, end) : LATIN | latinLetters(text, start, end);
}

/**
 * The letters that no affix, clitic, weak root or assimilation adds, drops or changes: all forms of a word have the
 * same ones (in 8 million words of news, those of all lemmas but a few foreign names). Letters of one group are written
 * for each other in foreign words.
 */
const FIRM = ["ث", "جغ", "ح", "خ", "ر", "ز", "ش", "ص", "ض", "ظ", "ع", "ق"];

/**
 * The letters that affixes and clitics add, but that no form of a word drops or changes: of all pairs of forms of one
 * lemma in those news, one in a thousand is parted by them, particles and readings that are wrong.
 */
const LASTING = ["ب", "د", "س", "ط", "ف", "ك"];

/** The bit of each letter from U+0600 on: 0 for letters that are neither, and for marks; `ODD` for all others. */
const ODD = 1 << FIRM.length;
const BITS = new Uint32Array(0x100).fill(ODD);
for (let c = 0x621; c <= 0x652; c++) if (c <= 0x63a || c >= 0x640) BITS[c - 0x600] = 0;
[...FIRM, "", ...LASTING].forEach((letters, i) => {
  for (const letter of letters) BITS[letter.charCodeAt(0) - 0x600] = 1 << i;
});

/** Returns the firm and lasting letters of a word as bits, and whether it has others than plain ones. */
function arabicLetters(text: string, start: number, end: number): number {
  let bits = 0;
  for (let i = start; i < end; i++) bits |= BITS[text.charCodeAt(i) - 0x600] ?? ODD;
  return bits;
}

function likelyArabic(stems: readonly string[]): LikelyWord {
  if (stems.length === 0) return () => false;
  /** The lasting letters of the stems by their firm ones. */
  const sought: (number[] | undefined)[] = new Array(ODD);
  for (const stem of stems) {
    const letters = arabicLetters(stem, 0, stem.length);
    if ((letters & ODD) !== 0) return () => true;
    const firm = letters % ODD;
    sought[firm] = [...(sought[firm] ?? []), letters - firm];
  }
  return (letters) => {
    if ((letters & ODD) !== 0) return true;
    const needed = sought[letters & (ODD - 1)];
    if (needed === undefined) return false;
    for (const lasting of needed) if ((lasting & ~letters) === 0) return true;
    return false;
  };
}

/** Returns whether a character is a letter of Arabic, or one of its marks. */
function isArabic(code: number): boolean {
  return code >= 0x620 && code <= 0x652;
}

/**
 * The places, from 1, of the letters other than Arabic ones that normal forms change one by one, by the letters that
 * they become; 0 for those that change otherwise.
 */
const LATIN_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const PLACES = new Uint8Array(0x80);
for (const [i, letter] of [...LATIN_LETTERS].entries()) {
  PLACES[letter.charCodeAt(0)] = PLACES[letter.toUpperCase().charCodeAt(0)] = i + 1;
}
const PLACE_COUNT = LATIN_LETTERS.length + 1;
const EVERY_PLACE = Array.from({ length: PLACE_COUNT }, (_, place) => place);

/** Slots of a table of beginnings. */
const SLOTS = 1 << 12;
/** The bit of words that do not begin with an Arabic letter, and that of those with other than plain letters. */
const LATIN = 1 << 30;
const UNPLAIN = 1 << 29;

/** Returns the slot of a word's beginning, and whether it has other than plain letters. */
function latinLetters(text: string, start: number, end: number): number {
  let plain = 1;
  for (let i = start; i < end; i++) plain = (PLACES[text.charCodeAt(i)] ?? 0) === 0 ? 0 : plain;
  if (plain === 0) return UNPLAIN;
  const [first = 0, second = 0, third = 0] = [
    PLACES[text.charCodeAt(start)],
    end - start > 1 ? PLACES[text.charCodeAt(start + 1)] : 0,
    end - start > 2 ? PLACES[text.charCodeAt(start + 2)] : 0,
  ];
  return slotOf(first, second, third);
}

/** Returns the slot of a beginning, by the places of its letters. */
function slotOf(first: number, second: number, third: number): number {
  return ((first * PLACE_COUNT + second) * PLACE_COUNT + third) % SLOTS;
}

function likelyByBeginning(stems: readonly string[]): LikelyWord {
  const beginnings = new Uint8Array(SLOTS);
  for (const stem of stems) {
    const [[first = 0] = [], firmSecond = [], firmThird = []] = [0, 1, 2].map((i) => placesAt(stem, i));
    if (stem === "") return () => true;
    // Shorter ones may lose their third letter: used, using.
    const second = stem.length > 1 ? firmSecond : EVERY_PLACE;
    const third = stem.length > 3 ? firmThird : EVERY_PLACE;
    for (const b of second) for (const c of third) beginnings[slotOf(first, b, c)] = 1;
  }
  return (letters) => (letters & UNPLAIN) !== 0 || beginnings[letters & (SLOTS - 1)] === 1;
}

/** Returns the places that the letter `i` of a stem may have in a word: stems may have i for y. */
function placesAt(stem: string, i: number): number[] {
  return (stem[i] === "i" ? "iy" : (stem[i] ?? "")).split("").map((letter) => PLACES[letter.charCodeAt(0)] ?? 0);
}

/** Characters of a text that are looked at; what lies beyond is not highlighted. */
const LOOKED_AT = 50_000;

/** Longer words are not marked. */
const MAX_MARK_UNITS = 100;

/** Kinds that lemmas are told apart by, and bits of one. */
const KINDS = 1 << 10;
const KIND_BITS = 10;

/** Lemmas of a word whose kinds are kept; of one that has more they are not. */
const MAX_KINDS = 3;

/** Bits of a word whose kinds are known, and of one with too many lemmas: it may be any word. */
const IS_KNOWN = 1 << 31;
const IS_ANY = 1 << 30;

/** Returns the kind of a lemma, a hash. */
function kindOf(lemma: string): number {
  let hash = 0;
  for (let i = 0; i < lemma.length; i++) hash = Math.imul(hash, 31) + lemma.charCodeAt(i);
  return (hash ^ (hash >>> KIND_BITS)) & (KINDS - 1);
}

/** Returns the kinds of a word's lemmas, side by side in one number. */
function kindsOf({ lemmas }: WordTerms): number {
  if (lemmas.length > MAX_KINDS) return IS_KNOWN | IS_ANY;
  let kinds = 0;
  for (let i = 0; i < MAX_KINDS; i++) kinds = (kinds << KIND_BITS) | kindOf(lemmas[i] ?? lemmas[0] ?? "");
  return IS_KNOWN | kinds;
}

/**
 * The words of a text in columns: where each begins and ends, its letters as `lettersOf` has them, and the kinds of the
 * lemmas of those that were asked for, 0 for others.
 */
type ScannedWords = {
  starts: Uint16Array;
  ends: Uint16Array;
  letters: Int32Array;
  kinds: Int32Array;
  /** The terms of those that were asked for. */
  terms: (WordTerms | undefined)[];
};

/** A text whose words are looked for once, for all the queries that it is highlighted for. */
export class ScannedText {
  readonly text: string;
  #words: ScannedWords | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns those of the first 50,000 characters that may be marked: 20 bytes each, kept with the text. */
  get words(): ScannedWords {
    this.#words ??= scan(this.text);
    return this.#words;
  }

  /**
   * Tells whether a lemma of one of the words may be among those with these kinds; few others pass. The terms of words
   * lie all over the memory, their kinds side by side.
   */
  mayBe(word: number, sought: Uint8Array): boolean {
    const { kinds } = this.words;
    let its = kinds[word] ?? 0;
    if (its === 0) its = kinds[word] = kindsOf(this.termsOf(word));
    if ((its & IS_ANY) !== 0) return true;
    for (let i = 0; i < MAX_KINDS; i++, its >>>= KIND_BITS) if (sought[its & (KINDS - 1)] === 1) return true;
    return false;
  }

  /** Returns the terms of one of the words. */
  termsOf(word: number): WordTerms {
    const { starts, ends, terms } = this.words;
    const cached = terms[word];
    if (cached !== undefined) return cached;
    const computed = wordTermsAt(this.text, at(starts, word), at(ends, word));
    terms[word] = computed;
    return computed;
  }
}

/** Collects the words of one text. */
const starts = new Uint16Array(LOOKED_AT);
const ends = new Uint16Array(LOOKED_AT);
const letters = new Int32Array(LOOKED_AT);

function scan(text: string): ScannedWords {
  const looked = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  let count = 0;
  forEachSearchWord(looked, (start, end) => {
    if (end - start > MAX_MARK_UNITS) return;
    starts[count] = start;
    ends[count] = end;
    letters[count++] = lettersOf(text, start, end);
  });
  return {
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    letters: letters.slice(0, count),
    kinds: new Int32Array(count),
    terms: Array.from({ length: count }),
  };
}
