import { decodeHTML } from "entities/decode";
import { findDates } from "../../text/dates/mod.ts";
import {
  classOf,
  type HtmlDocument,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  oneLine,
  overlap,
  plainText,
  taggedIn,
  wordsOf,
} from "../page/dom.ts";

const SEPARATOR = /\s+[|\-–—»«:·•/~<>]+\s+|\s*[|»]\s*|:\s+(?=[^:]{2,30}$)/u;
/** Longer titles are left as they are, in UTF-16 units. */
const MAX_SPLIT_CHARS = 1_000;
const MAX_UNKNOWN = 4;
const MIN_REST = 4;

/** Returns true for a text that consists of the words of the site's names, or is one of them written otherwise. */
export function isSiteName(text: string, siteNames: readonly string[]): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return false;
  const site = new Set(siteNames.flatMap(wordsOf));
  const joined = words.join("");
  return words.every((word) => site.has(word)) || siteNames.some((name) => wordsOf(name).join("") === joined);
}

/**
 * Returns a title without the name of the site before or behind a separator. Where no part is a known name of it, a
 * short last part behind a long title counts as one.
 */
export function withoutSite(title: string, siteNames: readonly string[]): string {
  if (title.length > MAX_SPLIT_CHARS) return title;
  const named = withoutKnownSite(title, siteNames);
  return named === title ? withoutLastPart(title, title.split(SEPARATOR).at(-1)?.trim() ?? "") : named;
}

/** Returns a title without the known names of the site before or behind a separator. */
function withoutKnownSite(title: string, siteNames: readonly string[]): string {
  if (title.length > MAX_SPLIT_CHARS) return title;
  const parts = title.split(SEPARATOR).map((part) => part.trim());
  if (parts.length < 2) return title;
  let start = 0;
  let end = parts.length;
  while (end - start > 1 && isSiteName(parts[end - 1] ?? "", siteNames)) end--;
  while (end - start > 1 && isSiteName(parts[start] ?? "", siteNames)) start++;
  if (start === 0 && end === parts.length) return title;
  const from = title.indexOf(parts[start] ?? "");
  const last = parts[end - 1] ?? "";
  return title.slice(from, title.indexOf(last, from) + last.length);
}

function withoutLastPart(title: string, last: string): string {
  if (last === title.trim()) return title;
  const rest = title.slice(0, title.lastIndexOf(last)).replace(/[\s|\-–—»«:·•/~<>]+$/u, "");
  const isAfterColon = /:\s/.test(title.slice(rest.length, rest.length + 2));
  return wordsOf(last).length <= MAX_UNKNOWN && wordsOf(rest).length >= MIN_REST && !isAfterColon ? rest : title;
}

const MAX_TITLE = 300;
/** Longer headings are introductions. */
const MAX_HEADING = 200;
const MIN_HEADING_OVERLAP = 0.25;
/** A heading alone that is shorter names a section or the site. */
const MIN_ALONE = 15;
/** Below this agreement, the order of the page says more than the degree of it. */
const WEAK = 0.6;
const MIN_SUBHEADING_OVERLAP = 0.8;
const REPLIES = /^\d+\s+(?:repl(?:y|ies)|comments?|responses?|thoughts?)\b/i;

/**
 * Chooses the title of an article: the heading on the page that agrees with what the page says of itself, else the
 * page's own title without the site's name. Empty when the page has none.
 */
export function chooseTitle(hints: TitleHints): string {
  const stated = [hints.openGraph, hints.headline, hints.document].filter((title) => title !== "");
  // Some pages give their title as the name of their site, too.
  const siteNames = hints.siteNames.filter((name) => !stated.includes(name));
  const cleaned = stated.map((title) => withoutSite(title, siteNames)).filter((title) => !isSiteName(title, siteNames));
  const sets = [...stated, ...cleaned].map((title) => new Set(wordsOf(title)));
  const usable = hints.headings.filter((heading) => isUsable(heading, { ...hints, siteNames }));
  const heading =
    closest(usable, sets, MIN_HEADING_OVERLAP) ||
    closest(
      hints.subheadings.filter((each) => isUsable(each, { ...hints, siteNames })),
      sets,
      MIN_SUBHEADING_OVERLAP,
    );
  if (heading !== "") return withoutSiteBehind(withoutAddition(heading, cleaned), siteNames);
  // A browser's title may be anything; the one heading of the page is what readers see.
  const [only, ...others] = usable;
  const isAlone = others.length === 0 && hints.openGraph === "" && hints.headline === "";
  if (only !== undefined && isAlone && only.length >= MIN_ALONE) return only;
  return (cleaned[0] ?? only ?? stated[0] ?? hints.headings[0] ?? "").slice(0, MAX_TITLE);
}

/** Returns what stands behind a colon is said of the matter, although the site has its name of it. */
function withoutSiteBehind(heading: string, siteNames: readonly string[]): string {
  const title = withoutKnownSite(heading, siteNames);
  return heading.startsWith(title) && !/^\s*:/.test(heading.slice(title.length)) ? title : heading;
}

function closest(headings: readonly string[], sets: readonly ReadonlySet<string>[], least: number): string {
  let best = "";
  let bestScore = 0;
  for (const heading of headings) {
    const set = new Set(wordsOf(heading));
    const score = sets.length === 0 ? 1 : Math.max(...sets.map((other) => overlap(set, other)));
    if (score < least || (best !== "" && (score < WEAK || score <= bestScore))) continue;
    bestScore = score;
    best = heading;
  }
  return best;
}

function isUsable(heading: string, hints: TitleHints): boolean {
  if (heading.length > MAX_HEADING || REPLIES.test(heading) || wordsOf(heading).length === 0) return false;
  const site = new Set(hints.siteNames.flatMap(wordsOf));
  return !wordsOf(heading).every((word) => site.has(word)) && !isSiteHeading(heading, hints);
}

/** A blog's own name in its heading: the page calls itself "name: title", and the title alone elsewhere. */
function isSiteHeading(heading: string, { openGraph, document }: TitleHints): boolean {
  if (openGraph === "" || overlap(new Set(wordsOf(heading)), new Set(wordsOf(openGraph))) > 0) return false;
  const whole = wordsOf(document).join(" ");
  return whole.includes(wordsOf(heading).join(" ")) && whole.includes(wordsOf(openGraph).join(" "));
}

const ADDED_BEHIND = /^\W*(?:posted|published|updated|written|by)\b|^\W*\([\w.-]+\.\w{2,}\)|^\W*\d+\W*$/i;
const ADDED_BEFORE = /^[\p{L} ]{1,20}:\s*$/u;

/**
 * Returns a heading that holds the page's own title and, before or behind it, a date, a byline, a count or a label:
 * only the title.
 */
function withoutAddition(heading: string, titles: readonly string[]): string {
  const isAddition = (text: string, pattern: RegExp) =>
    wordsOf(text).length === 0 ||
    pattern.test(text) ||
    findDates(text).length > 0 ||
    /^\W*\p{L}{3,9} 20\d\d$/u.test(text);
  for (const title of titles) {
    const at = heading.indexOf(title);
    if (at < 0 || title.length === heading.length || wordsOf(title).length < 2) continue;
    const [before, behind] = [heading.slice(0, at), heading.slice(at + title.length)];
    if (/\p{L}$/u.test(before) || /^\p{L}/u.test(behind)) continue;
    if (wordsOf(heading).length === wordsOf(title).length) continue;
    if (isAddition(before, ADDED_BEFORE) && isAddition(behind, ADDED_BEHIND)) return title;
  }
  return heading;
}

/** Elements in a heading that may hold a line of their own: a kicker, a subtitle. Others dress a part of a word. */
const APART = /^(?:a|label|q|small|span|strong|time)$/;
/** Holds what is no part of a word, whatever its letters. */
const LINE = /^(?:label|small|time)$/;
const LINE_CLASS = /kicker|eyebrow|overline|topper|label|badge|categor|sub-?(?:title|head)|sur-?title|deck?\b/i;
const MAX_PARTS = 12;
const MAX_PART = 500;
const MAX_DEPTH = 5;
/** A part with less of a heading's letters than this is no title, though a page may call itself so. */
const MIN_SHARE = 0.5;
const MIN_WORDS = 2;

/**
 * Returns the text of a heading. Where parts of it stand in elements of their own without a space between them, the
 * page's own titles say what belongs together: the parts that one of them has, else all with spaces between them, but
 * not within a word (`<span>P</span>ier`).
 */
export function headingText(heading: HtmlElement, stated: readonly string[]): string {
  const joined = oneLine(plainText(heading));
  const parts = partsOf(heading);
  if (parts.length < 2 || parts.length > MAX_PARTS) return joined;
  const apart = oneLine(parts.reduce((text, part) => `${text}${isApart(text, part) ? " " : ""}${part}`));
  if (apart === joined) return joined;
  const titles = stated.map(phrase);
  const has = (text: string) => titles.some((title) => title.includes(phrase(text)));
  const [letters, texts] = [apart.length, [apart, joined, ...runsOf(parts)]];
  const match = texts.find(
    (text) => wordsOf(text).length >= MIN_WORDS && text.length >= letters * MIN_SHARE && has(text),
  );
  return match ?? apart;
}

/** Words with a space before and behind each, so that one phrase is found in another only by whole words. */
function phrase(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

/** Neighbouring parts together, the longest first. */
function runsOf(parts: readonly string[]): string[] {
  const runs: string[] = [];
  for (let first = 0; first < parts.length; first++) {
    let run = "";
    for (const part of parts.slice(first)) {
      run += `${isApart(run, part) ? " " : ""}${part}`;
      runs.push(oneLine(run));
    }
  }
  return runs.sort((a, b) => b.length - a.length);
}

/** Tells whether two neighbouring parts are words of their own: by capitals, where the script has them. */
function isApart(before: string, behind: string): boolean {
  if (!/[\p{L}\p{M}\p{N}.:!?؟…»”"]$/u.test(before) || !/^[\p{L}\p{N}«“"(]/u.test(behind)) return false;
  if (/^\p{Ll}/u.test(behind)) return false;
  // An initial in a box of its own.
  if (/(?:^|\P{L})\p{Lu}$/u.test(before) && /^\p{Lu}/u.test(behind)) return false;
  return true;
}

/** Returns the texts of a heading, cut where elements that may stand apart begin and end. */
function partsOf(heading: HtmlElement): string[] {
  const parts: string[] = [""];
  const add = (text: string) => parts.push((parts.pop() ?? "") + text);
  const walk = (node: HtmlNode, depth: number) => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (isText(child)) add(child.textContent ?? "");
      else if (isElement(child)) {
        const isPart = APART.test(child.localName);
        const isLine = isPart && (LINE.test(child.localName) || LINE_CLASS.test(classOf(child)));
        if (isPart) parts.push("");
        if (isLine) add(" ");
        if (isPart && depth < MAX_DEPTH) walk(child, depth + 1);
        else add(plainText(child));
        if (isLine) add(" ");
        if (isPart) parts.push("");
      }
    }
  };
  walk(heading, 0);
  return parts.map((part) => part.replace(/\s+/g, " ").slice(0, MAX_PART)).filter((part) => part.trim() !== "");
}

/** Holds what a page says its title is, in several places. */
interface TitleHints {
  /** Texts of the `h1`, and of the `h2`. */
  readonly headings: readonly string[];
  readonly subheadings: readonly string[];
  readonly openGraph: string;
  readonly headline: string;
  readonly document: string;
  readonly siteNames: readonly string[];
}

const MAX_HEADINGS = 12;

/** Reads the hints of `chooseTitle` off a page. */
export function titleHints(
  document: HtmlDocument,
  stated: { openGraph: string; headline: string; siteNames: readonly string[] },
): TitleHints {
  const openGraph = titleLine(stated.openGraph);
  const headline = titleLine(stated.headline);
  const own = titleLine(taggedIn(document, "title")[0]?.textContent);
  const texts = (tag: string): string[] => {
    const titles: string[] = [];
    let seen = 0;
    for (const heading of taggedIn(document, tag)) {
      if (++seen > MAX_HEADINGS) break;
      const text = titleLine(headingText(heading, [openGraph, headline, own]));
      if (text !== "" && !titles.includes(text)) titles.push(text);
    }
    return titles;
  };
  return {
    headings: texts("h1"),
    subheadings: texts("h2"),
    openGraph,
    headline,
    document: own,
    siteNames: stated.siteNames.map(oneLine).filter((name) => name !== ""),
  };
}

/** Returns a title on one line; an entity that is still in it was escaped twice, and no title means it. */
function titleLine(text: string | null | undefined): string {
  const line = oneLine(text);
  return /&#?\w+;/.test(line) ? oneLine(decodeHTML(line)) : line;
}
