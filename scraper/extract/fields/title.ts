import type { HtmlDocument } from "../page/dom.ts";
import { plainText } from "../page/plain.ts";
import { oneLine, overlap, wordsOf } from "../page/words.ts";

/** What a page says its title is, in several places. */
export interface TitleHints {
  /** Texts of the `h1`, and of the `h2`. */
  readonly headings: readonly string[];
  readonly subheadings: readonly string[];
  readonly openGraph: string;
  readonly headline: string;
  readonly document: string;
  readonly siteNames: readonly string[];
}

const MAX_TITLE = 300;
const MAX_HEADINGS = 12;
const LEAST_OVERLAP = 0.25;
const SEPARATOR = /\s+[|\-–—»«:·•/~<>]+\s+|\s*[|»]\s*|:\s+(?=[^:]{2,30}$)/u;

/**
 * Chooses the title of an article: the heading on the page that agrees with what the page says of itself, else the page's
 * own title without the site's name. Empty when the page has none.
 */
export function chooseTitle(hints: TitleHints): string {
  const stated = [hints.openGraph, hints.headline, hints.document].filter((title) => title !== "");
  const cleaned = stated.map((title) => withoutSite(title, hints));
  const sets = [...stated, ...cleaned].map((title) => new Set(wordsOf(title)));
  const site = new Set(hints.siteNames.flatMap(wordsOf));
  const closest = (headings: readonly string[], least: number): string => {
    let best = "";
    let bestScore = 0;
    for (const heading of headings) {
      const words = wordsOf(heading);
      if (heading.length > MAX_TITLE || words.every((word) => site.has(word)) || isSiteHeading(heading, hints))
        continue;
      const set = new Set(words);
      const score = Math.max(sets.length === 0 ? 1 : 0, ...sets.map((other) => overlap(set, other)));
      if (score > bestScore) {
        bestScore = score;
        best = heading;
      }
    }
    return bestScore >= least ? best : "";
  };
  const heading = closest(hints.headings, LEAST_OVERLAP) || closest(hints.subheadings, 0.8);
  return heading || (cleaned.find((title) => title !== "") ?? hints.headings[0] ?? "").slice(0, MAX_TITLE);
}

/** A blog's own name in its heading: the page calls itself "name: title", and the title alone elsewhere. */
function isSiteHeading(heading: string, { openGraph, document }: TitleHints): boolean {
  if (openGraph === "" || overlap(new Set(wordsOf(heading)), new Set(wordsOf(openGraph))) > 0) return false;
  const whole = wordsOf(document).join(" ");
  return whole.includes(wordsOf(heading).join(" ")) && whole.includes(wordsOf(openGraph).join(" "));
}

/** Reads the hints of {@link chooseTitle} off a page. */
export function titleHints(
  document: HtmlDocument,
  stated: { openGraph: string; headline: string; siteNames: readonly string[] },
): TitleHints {
  const texts = (tag: string): string[] => {
    const found: string[] = [];
    let seen = 0;
    for (const heading of document.querySelectorAll(tag)) {
      if (++seen > MAX_HEADINGS) break;
      const text = oneLine(plainText(heading));
      if (text !== "" && !found.includes(text)) found.push(text);
    }
    return found;
  };
  return {
    headings: texts("h1"),
    subheadings: texts("h2"),
    openGraph: oneLine(stated.openGraph),
    headline: oneLine(stated.headline),
    document: oneLine(document.querySelector("head title, title")?.textContent),
    siteNames: stated.siteNames.map(oneLine).filter((name) => name !== ""),
  };
}

function withoutSite(title: string, hints: TitleHints): string {
  const parts = title.split(SEPARATOR).map((part) => part.trim());
  if (parts.length < 2) return title;
  const site = new Set(hints.siteNames.flatMap(wordsOf));
  const joined = hints.siteNames.map((name) => wordsOf(name).join(""));
  const isSite = (part: string): boolean => {
    const words = wordsOf(part);
    return words.length > 0 && (words.every((word) => site.has(word)) || joined.includes(words.join("")));
  };
  let start = 0;
  let end = parts.length;
  while (end - start > 1 && isSite(parts[end - 1] ?? "")) end--;
  while (end - start > 1 && isSite(parts[start] ?? "")) start++;
  if (start === 0 && end === parts.length) {
    const last = parts[parts.length - 1] ?? "";
    const rest = title.slice(0, title.lastIndexOf(last)).replace(/[\s|\-–—»«:·•/~<>]+$/u, "");
    return wordsOf(last).length <= 4 &&
      wordsOf(rest).length >= 4 &&
      !/:\s/.test(title.slice(rest.length, rest.length + 2))
      ? rest
      : title;
  }
  const from = title.indexOf(parts[start] ?? "");
  const lastPart = parts[end - 1] ?? "";
  return title.slice(from, title.indexOf(lastPart, from) + lastPart.length);
}
