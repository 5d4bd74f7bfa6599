import { codePointLength } from "@isnad/lib/text";
import type { DiscoveredEntry } from "../../../lib/extraction/discovery/mod.ts";
import type { ExtractedPage } from "../../../lib/extraction/mod.ts";

/** The text that an article is made of. */
export interface ChosenText {
  readonly text: string;
  readonly from: "page" | "feed";
  /** 0 to 1: how sure it is the whole text of the article. */
  readonly quality: number;
}

/** The shortest text that the ingest route takes, in code points. */
const MIN_TEXT = 200;
/** A summary shorter than this is a teaser. */
const MIN_SUMMARY = 500;
const SURE = 0.5;
const FEED_QUALITY = 0.6;
const MUCH_LONGER = 1.5;
/** How feeds end a text that goes on elsewhere. */
const CUT = /(?:…|\.\.\.|\[\s*(?:…|\.\.\.|&hellip;)\s*\]|(?:read|continue|اقرأ|المزيد)[\s\p{L}.»>]{0,20})\s*$/iu;

/**
 * Chooses between the text of an article's page and the one that its feed gives: the page's, unless it cannot be had,
 * is no article, is too short, or is doubtful while the feed's is much longer. `only` leaves no choice: with `feed` the
 * feed's whole text goes however it ends. Null when there is none that will do.
 */
export function chooseText(
  page: ExtractedPage | null,
  entry: DiscoveredEntry,
  only?: ChosenText["from"],
): ChosenText | null {
  if (only === "feed") return wholeTextOfFeed(entry);
  const pageText =
    page !== null && page.kind === "article" && isLong(page.content)
      ? { text: page.content, from: "page" as const, quality: page.quality }
      : null;
  const feedText = only === "page" ? null : textOfFeed(entry);
  if (pageText === null || feedText === null) return pageText ?? feedText;
  if (page?.method === "profile" || pageText.quality >= SURE) return pageText;
  return feedText.text.length > pageText.text.length * MUCH_LONGER ? feedText : pageText;
}

/** The longer of the texts that a feed gives of an article, null when that is too short. */
function wholeTextOfFeed({ content, summary }: DiscoveredEntry): ChosenText | null {
  const text = content.length >= summary.length ? content : summary;
  return isLong(text) ? { text, from: "feed", quality: FEED_QUALITY } : null;
}

/** The text that a feed gives of an article, null when it is only a teaser. */
function textOfFeed({ content, summary }: DiscoveredEntry): ChosenText | null {
  for (const [text, least] of [
    [content, MIN_TEXT],
    [summary, MIN_SUMMARY],
  ] as const) {
    if (isLong(text, least) && !CUT.test(text.slice(-60))) return { text, from: "feed", quality: FEED_QUALITY };
  }
  return null;
}

function isLong(text: string, least = MIN_TEXT): boolean {
  return text.length >= 2 * least || codePointLength(text.replace(/\s+/g, " ").trim()) >= least;
}
