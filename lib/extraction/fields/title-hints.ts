import { decodeHTML } from "entities/decode";
import type { HtmlDocument } from "../page/dom.ts";
import { taggedIn } from "../page/elements.ts";
import { oneLine } from "../page/words.ts";
import { headingText } from "./heading-text.ts";

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

/** A title on one line; an entity that is still in it was escaped twice, and no title means it. */
function titleLine(text: string | null | undefined): string {
  const line = oneLine(text);
  return /&#?\w+;/.test(line) ? oneLine(decodeHTML(line)) : line;
}
