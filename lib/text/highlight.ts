import { queryWords } from "./analyse.ts";
import { type LikelyWord, likelyWords } from "./likely-words.ts";
import { WordCache } from "./word-cache.ts";
import { wordTerms } from "./word-terms.ts";
import { forEachWord } from "./words.ts";

/** What a query looks for, analysed once for many texts. */
export type QueryTerms = {
  readonly likely: LikelyWord;
  /** Which word of the query a word of a text is; {@link NONE} for none. */
  readonly wordOf: WordCache<number>;
};

/** Parts of a text around what a query finds. HTML: `<mark>` around each matching word, the rest escaped. */
export type Highlighted = {
  /** The best fragment, or the beginning of the text when nothing matches. */
  snippet: string;
  /** The fragments that match, best first. */
  fragments: string[];
};

/** Characters of a text that are looked at; what lies beyond is not highlighted. */
const LOOKED_AT = 50_000;

/** Longer words are not marked. */
const LONGEST_MARK = 100;

/** What a word is that the query does not ask for. */
const NONE = -1;

/** Slots for the likely words of all texts that are highlighted for one query. */
const SLOTS = 1 << 10;

/** A word of the text, and which word of the query it is. */
type Match = { start: number; end: number; word: number };

/** Analyses a query for {@link highlight}. */
export function queryTerms(query: string): QueryTerms {
  const sought = queryWords(query);
  const words = new Map(
    sought.flatMap(({ lemmas }, word) => Array.from(lemmas, (lemma): [string, number] => [lemma, word])),
  );
  const wordOf = (text: string): number => {
    const lemma = wordTerms(text).lemmas.find((each) => words.has(each));
    return (lemma === undefined ? undefined : words.get(lemma)) ?? NONE;
  };
  return {
    likely: likelyWords(sought.flatMap(({ terms }) => terms.stems)),
    wordOf: new WordCache(wordOf, LONGEST_MARK, SLOTS),
  };
}

/**
 * The best parts of a text for a query. What is marked, whole as it stands in the text, is a word of the query, one of
 * its inflected forms, or such a form with clitics: not every word that the keyword index finds for it, which goes by
 * stems and roots. A fragment has about `fragmentLength` UTF-16 units and begins and ends between words.
 */
export function highlight(
  original: string,
  query: string | QueryTerms,
  { maxFragments = 3, fragmentLength = 160 }: { maxFragments?: number; fragmentLength?: number } = {},
): Highlighted {
  const wanted = typeof query === "string" ? queryTerms(query) : query;
  const matches = findMatches(original, wanted);
  const windows = bestWindows(matches, fragmentLength, maxFragments);
  const fragments = windows.map((window) => render(original, frame(original, window, fragmentLength), matches));
  const lead = { start: 0, end: wordEnd(original, Math.min(original.length, fragmentLength)) };
  return { snippet: fragments[0] ?? render(original, lead, []), fragments };
}

function findMatches(text: string, { likely, wordOf }: QueryTerms): Match[] {
  const matches: Match[] = [];
  const looked = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  forEachWord(looked, (start, end) => {
    if (end - start > LONGEST_MARK || !likely(text, start, end)) return;
    const word = wordOf.get(text, start, end);
    if (word !== NONE) matches.push({ start, end, word });
  });
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

/** The window with as much of the text around it as makes it `length` long, cut between words. */
function frame(text: string, { start, end }: Window, length: number): { start: number; end: number } {
  const room = Math.max(0, length - (end - start));
  let from = Math.max(0, start - Math.floor(room / 3));
  const to = Math.min(text.length, Math.max(end, from + length));
  if (from > 0) {
    const space = text.indexOf(" ", from);
    from = space >= 0 && space < start ? space + 1 : start;
  }
  return { start: from, end: Math.max(end, wordEnd(text, to)) };
}

/** The end of the last word that ends at or before `at`. */
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
  for (const match of matches) {
    if (match.end > end) break;
    if (match.start < start) continue;
    html += `${escapeHtml(text, at, match.start)}<mark>${escapeHtml(text, match.start, match.end)}</mark>`;
    at = match.end;
  }
  return html + escapeHtml(text, at, end) + (end < text.length ? "…" : "");
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const SPECIAL = /[&<>"']/;
const SPECIALS = /[&<>"']/g;

/** The text from `start` to `end`. */
function escapeHtml(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  return SPECIAL.test(part) ? part.replace(SPECIALS, (character) => ESCAPES[character] ?? character) : part;
}
