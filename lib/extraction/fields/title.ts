import { findDates } from "../../text/dates/mod.ts";
import { overlap, wordsOf } from "../page/words.ts";
import { isSiteName, withoutKnownSite, withoutSite } from "./site-name.ts";
import type { TitleHints } from "./title-hints.ts";

const MAX_TITLE = 300;
/** Longer headings are introductions. */
const MAX_HEADING = 200;
const LEAST_OVERLAP = 0.25;
/** A heading alone that is shorter names a section or the site. */
const MIN_ALONE = 15;
/** Below this agreement, the order of the page says more than the degree of it. */
const WEAK = 0.6;
const SURE_SUBHEADING = 0.8;
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
    closest(usable, sets, LEAST_OVERLAP) ||
    closest(
      hints.subheadings.filter((each) => isUsable(each, { ...hints, siteNames })),
      sets,
      SURE_SUBHEADING,
    );
  if (heading !== "") return withoutSiteBehind(withoutAddition(heading, cleaned), siteNames);
  // A browser's title may be anything; the one heading of the page is what readers see.
  const [only, ...others] = usable;
  const isAlone = others.length === 0 && hints.openGraph === "" && hints.headline === "";
  if (only !== undefined && isAlone && only.length >= MIN_ALONE) return only;
  return (cleaned[0] ?? only ?? stated[0] ?? hints.headings[0] ?? "").slice(0, MAX_TITLE);
}

/** What stands behind a colon is said of the matter, although the site has its name of it. */
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
 * A heading that holds the page's own title and, before or behind it, a date, a byline, a count or a label: only the
 * title.
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
