import { memoize } from "../../std/mod.ts";
import type { Credit } from "../../store/mod.ts";
import { codePointLength, sentences, unitToCodePoint } from "../../text/mod.ts";
import { type Mention, mentionAt, outletNamed, type TextWord, withoutClitics, wordsOf } from "./outlets.ts";
import { isAttributed, KINDS, quotedAfterKind } from "./attribution.ts";
import { quotations } from "./quotations.ts";

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
  let last: Mention | undefined;
  for (let at = 0; at < words.length && credits.size < MAX_CREDITS; at++) {
    const mention = mentionAt(text, words, at) ?? unlistedAt(text, words, at);
    if (mention === undefined) continue;
    at = mention.to - 1;
    const { name, start, end } = mention;
    if (credits.has(name) || quoted.some((quote) => quote.start < start && end < quote.end)) continue;
    const isNext = last !== undefined && isJoinedTo(text, last, mention);
    if (!isNext && !isAttributed(text, words, mention, spans[mention.from] ?? 0)) continue;
    last = mention;
    credits.set(name, { name, text: text.slice(start, end), start: toPoint(start), end: toPoint(end) });
  }
  return [...credits.values()];
}

/** Returns whether a credit is of the paper itself, by the names that it goes by. */
export function isOwnCredit(credit: Pick<Credit, "name">, names: readonly string[]): boolean {
  return names.some((name) => name === credit.name || outletNamed(name) === credit.name);
}

/** Returns whether an outlet stands beside one that is credited: `رويترز وفرانس برس`, `AP and Bloomberg`. */
function isJoinedTo(text: string, one: Mention, next: Mention): boolean {
  const between = text.slice(one.end, next.start);
  return between.length <= 12 && /^["'\u201d\u00bb]?\s*(?:and|و|،|,|\/)\s*(?:the\s)?و?["'\u201c\u00ab]?$/.test(between);
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

const isKind = memoize((word) => withoutClitics(word).some(({ form }) => KINDS.any.has(form)), { capacity: 50_000 });

/** Returns a paper that is not listed: its name stands in quotes behind what it is (`صحيفة "…"`). */
function unlistedAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const english = unlistedEnglishAt(text, words, at);
  if (english !== undefined) return english;
  const kind = words[at];
  if (kind === undefined || !isKind(kind.form)) return undefined;
  const quoted = quotedAfterKind(text, kind.end);
  const from = at + 1;
  if (quoted === undefined || mentionAt(text, words, from) !== undefined) return undefined;
  let to = from;
  while (to < words.length && (words[to]?.start ?? 0) < quoted.end) to++;
  const name = text.slice(quoted.start, quoted.end);
  return to === from ? undefined : { name, from, to, isWeak: true, clitic: "", ...quoted };
}

/** Words that end the names of papers. */
const PAPERS = new Set(
  "Monitor Times Post News Journal Tribune Herald Gazette Chronicle Observer Globe Inquirer Examiner Review Dispatch Courier Oregonian Star-Ledger Capital-Journal Telegraaf".split(
    " ",
  ),
);

/** Words before a name that say that it is a paper's. */
const EPITHETS = new Set(["newspaper", "magazine"]);

/** Words before `newspaper` that are no name. */
const NATIONS =
  /^(?:The|A|An|This|That|Its|His|Her|One|American|British|German|French|Israeli|Italian|Spanish|Argentine|Argentinian|Russian|Turkish|Chinese|Japanese|Korean|Indian|Saudi|Iraqi|Iranian|Egyptian|Austrian|Swiss|Danish|Swedish|Dutch|Belgian|Canadian|Australian|Mexican|Brazilian|Pakistani|Lebanese|Syrian|Jordanian|Kuwaiti|English|Scottish|Irish|Welsh|Greek|Polish|Ukrainian)$/;

/** Words of a name at most. */
const MAX_NAME = 5;

/** Returns an English paper that is not listed: by the last word of its name, or by `newspaper` behind it. */
function unlistedEnglishAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const first = words[at];
  if (first === undefined || !isCapital(text, first) || isJoined(text, words, at - 1)) return undefined;
  const site = /^[A-Za-z][\w-]{1,30}\.(?:com|org|net)\b/.exec(text.slice(first.start, first.start + 40))?.[0];
  if (site !== undefined) {
    let behindSite = at + 1;
    const end = first.start + site.length;
    while ((words[behindSite]?.start ?? Number.POSITIVE_INFINITY) < end) behindSite++;
    return { name: site, from: at, to: behindSite, isWeak: false, clitic: "", start: first.start, end };
  }
  let to = at + 1;
  while (to < at + MAX_NAME && isJoined(text, words, to - 1)) to++;
  const last = words[to - 1];
  const behind = words[to]?.form ?? "";
  const isBehind =
    EPITHETS.has(words[at - 1]?.form ?? "") && !/[,.;:]/.test(text.slice(words[at - 1]?.end ?? 0, first.start));
  if (last === undefined || (to - at < 2 && !isBehind && behind !== "newspaper")) return undefined;
  const isEpithet = to - at < 2 && /^\s[A-Z]/.test(text.slice(words[to]?.end ?? text.length));
  if (isEpithet) return undefined;
  const isPaper =
    PAPERS.has(text.slice(last.start, last.end)) || behind === "newspaper" || behind === "magazine" || isBehind;
  if (!isPaper || (to - at < 2 && NATIONS.test(text.slice(first.start, first.end)))) return undefined;
  return {
    name: text.slice(first.start, last.end),
    from: at,
    to,
    isWeak: false,
    clitic: "",
    start: first.start,
    end: last.end,
  };
}

const isCapital = (text: string, { start }: TextWord): boolean => /^[A-Z]/.test(text.charAt(start));

/** Returns whether a word and the next one are parts of one name: both have capitals, and a space is between them. */
function isJoined(text: string, words: readonly TextWord[], at: number): boolean {
  const [one, next] = [words[at], words[at + 1]];
  if (one === undefined || next === undefined || !isCapital(text, one) || !isCapital(text, next)) return false;
  if (/['\u2019]s$/.test(text.slice(one.start, one.end))) return false;
  return next.start - one.end === 1 && (text.charAt(one.end) === " " || text.charAt(one.end) === "-");
}
