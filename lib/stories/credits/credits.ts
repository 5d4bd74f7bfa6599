import type { Credit } from "../../store/mod.ts";
import { codePointLength, sentences, unitToCodePoint } from "../../text/mod.ts";
import { type Mention, mentionAt, outletNamed, type TextWord, wordsOf } from "./outlets.ts";
import { isAttributed } from "./attribution.ts";
import { quotations } from "./quotations.ts";
import { longerInQuotes, unlistedAt } from "./unlisted.ts";

/** Characters of a text that are looked through for credits. */
const MAX_UNITS = 100_000;

/** Credits of a text at most. */
const MAX_CREDITS = 50;

/**
 * Returns the agencies and papers that a text names as its sources, each once, by its first mention, under one name
 * over spellings and languages. One that a quotation names is none, nor is a place or a club of the same name. Takes
 * time with the length of the text.
 */
export function creditsOf(content: string): Credit[] {
  const text = content.slice(0, MAX_UNITS);
  const words = wordsOf(text);
  const spans = sentenceOfWords(text, words);
  const quoted = quotations(text);
  const credits = new Map<string, Credit>();
  const toPoint = unitToCodePoint(text);
  const named = new Set<string>();
  let last: Mention | undefined;
  for (let at = 0; at < words.length && credits.size < MAX_CREDITS; at++) {
    const listed = mentionAt(text, words, at);
    const mention = (listed && longerInQuotes(text, words, listed)) ?? listed ?? unlistedAt(text, words, at);
    if (mention === undefined) continue;
    at = mention.to - 1;
    const { start, end } = mention;
    const name = inFull(mention, text, named);
    if (name === mention.name && !mention.isWeak) named.add(name);
    if (credits.has(name) || quoted.some((quote) => quote.start < start && end < quote.end)) continue;
    const isNext = last !== undefined && isJoinedTo(text, last, mention);
    if (!isNext && !isAttributed(text, words, mention, spans[mention.from] ?? 0)) continue;
    last = mention;
    credits.set(name, { name, text: text.slice(start, end), start: toPoint(start), end: toPoint(end) });
  }
  return [...credits.values()];
}

/** Returns the name in full that the text had before where it now says `the Post` or `The Times`. */
function inFull(mention: Mention, text: string, named: ReadonlySet<string>): string {
  const last =
    /^The ([A-Z]\w+)$/.exec(text.slice(mention.start, mention.end))?.[1] ??
    (mention.isWeak ? text.slice(mention.start, mention.end) : undefined);
  if (last === undefined || !/^[A-Z]/.test(last)) return mention.name;
  return [...named].find((name) => name.endsWith(` ${last}`)) ?? mention.name;
}

/** Returns whether a credit is of the paper itself, by the names that it goes by. */
export function isOwnCredit(credit: Pick<Credit, "name">, names: readonly string[]): boolean {
  const own = folded(credit.name);
  return names.some((name) => folded(name) === own || outletNamed(name) === credit.name);
}

/** Returns a name as it is compared: `sahlan-news-agency` as `the Sahlan News Agency`. */
const folded = (name: string): string =>
  wordsOf(name.replaceAll("-", " "))
    .map(({ form }) => form)
    .filter((form) => form !== "the")
    .join(" ");

/** Characters between two outlets of one list: `"…" البريطانية و"…"`. */
const MAX_BETWEEN = 24;

/** Returns whether an outlet stands beside one that is credited: `رويترز وفرانس برس`, `AP and Bloomberg`. */
function isJoinedTo(text: string, one: Mention, next: Mention): boolean {
  const between = text.slice(one.end, next.start);
  return (
    between.length <= MAX_BETWEEN &&
    /^["'\u201d\u00bb]?(?: ال\p{L}+)?\s*(?:and|و|،|,|\/)\s*(?:the\s)?و?["'\u201c\u00ab]?$/u.test(between)
  );
}

/** Returns the first word of the sentence of each word. */
function sentenceOfWords(text: string, words: readonly TextWord[]): number[] {
  const points = unitToCodePoint(text);
  const ends = sentences(text).map(({ end }) => end);
  let sentence = 0;
  let first = 0;
  return words.map(({ start }, i) => {
    const point = points(start);
    while (sentence < ends.length && point >= (ends[sentence] ?? codePointLength(text))) {
      sentence++;
      first = i;
    }
    return first;
  });
}
