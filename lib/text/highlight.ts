import { analyse, queryWords } from "./analyse.ts";
import { type LikelyWord, likelyWords } from "./likely-words.ts";
import { LEMMA_KEYS, wordTermsAt } from "./word-terms.ts";
import { forEachWord } from "./words.ts";

/** What a query looks for, analysed once for many texts. */
export type QueryTerms = {
  /** Which word of the query a lemma belongs to. */
  readonly words: ReadonlyMap<string, number>;
  /** By the key of a lemma: 1 where one of `words` has it. */
  readonly keys: Uint8Array;
  readonly likely: LikelyWord;
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

/** A word of the text, and which word of the query it is. */
type Match = { start: number; end: number; word: number };

/** Analyses a query for {@link highlight}. */
export function queryTerms(query: string): QueryTerms {
  const sought = queryWords(query);
  const keys = new Uint8Array(LEMMA_KEYS);
  for (const { terms } of analyse(query)) for (const key of terms.lemmaKeys) keys[key] = 1;
  return {
    keys,
    words: new Map(
      sought.flatMap(({ lemmas }, word) => Array.from(lemmas, (lemma): [string, number] => [lemma, word])),
    ),
    likely: likelyWords(sought.flatMap(({ terms }) => terms.stems)),
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
  const matches = wanted.words.size === 0 ? [] : findMatches(original, wanted);
  const windows = bestWindows(matches, fragmentLength).slice(0, maxFragments);
  const fragments = windows.map((window) => render(original, frame(original, window, fragmentLength), matches));
  const lead = { start: 0, end: wordEnd(original, Math.min(original.length, fragmentLength)) };
  return { snippet: fragments[0] ?? render(original, lead, []), fragments };
}

function findMatches(text: string, { words, keys, likely }: QueryTerms): Match[] {
  const matches: Match[] = [];
  const looked = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  forEachWord(looked, (start, end) => {
    if (end - start > LONGEST_MARK) return;
    if (!likely(text, start, end)) return;
    const { lemmas, lemmaKeys } = wordTermsAt(text, start, end);
    // Most words are told apart by numbers alone.
    if (!lemmaKeys.some((key) => keys[key] === 1)) return;
    const lemma = lemmas.find((each) => words.has(each));
    const word = lemma === undefined ? undefined : words.get(lemma);
    if (word !== undefined) matches.push({ start, end, word });
  });
  return matches;
}

type Window = { start: number; end: number; score: number };

/**
 * Stretches of at most `length` from one match to another that do not overlap: those with the most different terms
 * first, then the earliest.
 */
function bestWindows(matches: readonly Match[], length: number): Window[] {
  const windows = matches.map((first, from): Window => {
    const seen = new Set<number>();
    let end = first.end;
    let count = 0;
    for (let i = from; i < matches.length; i++) {
      const match = matches[i];
      if (match === undefined || match.end - first.start > length) break;
      seen.add(match.word);
      end = match.end;
      count++;
    }
    return { start: first.start, end: Math.max(end, first.end), score: seen.size * 100 + Math.min(count, 99) };
  });
  windows.sort((a, b) => b.score - a.score || a.start - b.start);
  const chosen: Window[] = [];
  for (const window of windows) {
    const margin = length / 2;
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
    if (match.start < start || match.end > end) continue;
    html += `${escapeHtml(text.slice(at, match.start))}<mark>${escapeHtml(text.slice(match.start, match.end))}</mark>`;
    at = match.end;
  }
  return html + escapeHtml(text.slice(at, end)) + (end < text.length ? "…" : "");
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
