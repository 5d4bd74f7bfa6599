import type { Credit } from "../../store/mod.ts";
import { codePointLength, sentences, unitToCodePoint } from "../../text/mod.ts";
import { type Mention, mentionAt, outletNamed, type TextWord, wordsOf } from "./outlets.ts";
import { isAttributed } from "./attribution.ts";
import { forms } from "./cues.ts";
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
    // `jane@bloomberg.net` is whom to write to.
    if (mention === undefined || text.charAt(mention.start - 1) === "@") continue;
    at = mention.to - 1;
    const { start, end } = mention;
    const name = inFull(mention, text, named);
    if (name === mention.name && !(mention.isWeak && mention.isListed)) named.add(name);
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
    /^[Tt]he ([A-Z]\w+)$/.exec(text.slice(mention.start, mention.end))?.[1] ??
    (mention.isWeak ? (mention.isListed ? text.slice(mention.start, mention.end) : mention.name) : undefined);
  if (last === undefined || (mention.isListed && !/^[A-Z]/.test(last))) return mention.name;
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
    /^["'\u201d\u00bb]?(?: ال\p{L}+| (?:news)?papers?| magazine| television| TV| news agency)?\s*(?:, and|and|و|،|,|\/)\s*(?:\p{Lu}\p{Ll}{3,12} (?:news)?paper )?(?:the\s)?و?(?:(?:صحيف|قنا|وكال|مجل|شبك)[ةه]\s)?["'\u201c\u00ab]?$/u.test(
      between,
    )
  );
}

/** Names of Latin letters: the full stop behind one ends no sentence, as in `تي. إتش. تشان`. */
const LETTERS = forms("إيه بي سي دي إي إف جي إتش آي جيه كيه إل إم إن أو بيه كيو آر إس تي يو في دبليو إكس واي زد");

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
      if (!LETTERS.has(words[i - 1]?.form ?? "")) first = i;
    }
    return first;
  });
}

/** Words from which on what stands in quotes is said, and not a name. */
const MIN_WORDS = 6;

/** Characters that a quotation has at most; of straight quotes it is not known which opens one. */
const MAX_QUOTED_UNITS = 1_500;

const STRAIGHT = '"';

const CLOSING: Readonly<Record<string, string>> = {
  "\u201c": "\u201d",
  "\u00ab": "\u00bb",
  '"': '"',
  "\u201e": "\u201d",
};

/** Returns the quotations of a text, in UTF-16 units, end exclusive: what is said, without names in quotes. */
export function quotations(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const closing = CLOSING[text.charAt(at)];
    if (closing === undefined) continue;
    if (closing === STRAIGHT && standsBehind(text, at)) continue;
    const end = closingOf(text, at, closing);
    if (end < 0 || end - at > MAX_QUOTED_UNITS || (closing === STRAIGHT && standsBefore(text, end))) continue;
    // Of a quotation of several paragraphs each opens one, and only the last closes it.
    const next = text.indexOf(text.charAt(at), at + 1);
    if (closing !== STRAIGHT && next >= 0 && next < end) continue;
    if (
      text
        .slice(at + 1, end)
        .trim()
        .split(/\s+/).length >= MIN_WORDS
    )
      spans.push({ start: at, end: end + 1 });
    at = end;
  }
  return spans;
}

/** Returns where a quotation ends: at its closing quote, or at a straight one before it that can only close. */
function closingOf(text: string, at: number, closing: string): number {
  const end = text.indexOf(closing, at + 1);
  if (closing === STRAIGHT) return end;
  const reach = end < 0 ? Math.min(text.length, at + MAX_QUOTED_UNITS) : end;
  for (let next = text.indexOf(STRAIGHT, at + 1); next >= 0 && next < reach; next = text.indexOf(STRAIGHT, next + 1))
    if (/[.,!?،؟]/u.test(text.charAt(next - 1)) && standsBehind(text, next)) return next;
  return end;
}

/** Returns whether a straight quote can only close: right behind a word or a mark, and before a space. */
const standsBehind = (text: string, at: number): boolean =>
  /[\p{L}\p{N}.!?،,]/u.test(text.charAt(at - 1)) && /^[\s.,،؛:)]?$/.test(text.charAt(at + 1));

/** Returns whether a straight quote can only open: behind a space, and right before a word. */
const standsBefore = (text: string, at: number): boolean =>
  /[\s:(]/.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at + 1));
