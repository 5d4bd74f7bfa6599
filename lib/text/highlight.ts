import { at } from "../std/mod.ts";
import { queryWords } from "./analyse.ts";
import { type LikelyWord, likelyWords, ScannedText } from "./scanned-text.ts";
import type { WordTerms } from "./word-terms.ts";

/** Terms of a query, analysed once for many texts. */
export type QueryTerms = {
  readonly likely: LikelyWord;
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
  return {
    likely: likelyWords(sought.flatMap(({ terms }) => terms.stems)),
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
  const fragments = windows.map((window) => render(text, frame(text, window, fragmentLength), matches));
  const lead = { start: 0, end: wordEnd(text, Math.min(text.length, fragmentLength)) };
  return { snippet: fragments[0] ?? render(text, lead, []), fragments };
}

function findMatches(text: ScannedText, { likely, wordOf }: QueryTerms): Match[] {
  const matches: Match[] = [];
  const { starts, ends, letters } = text.words;
  for (let i = 0; i < letters.length; i++) {
    if (!likely(at(letters, i))) continue;
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

function render(text: string, { start, end }: { start: number; end: number }, matches: readonly Match[]): string {
  let html = start > 0 ? "…" : "";
  let at = start;
  for (const match of joined(matches)) {
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
