import { absoluteUrl, baseUrl } from "../fields/addresses.ts";
import { ExtractError } from "../item.ts";
import { type HtmlDocument, parsePage } from "../page/dom.ts";
import { readLinkedData } from "../page/jsonld.ts";
import { MAX_PAGE } from "../page/limits.ts";
import { firstMeta, readMeta } from "../page/meta.ts";
import { plainText } from "../page/plain.ts";
import { oneLine } from "../page/words.ts";
import { matchSelectors, type SelectorMatch } from "./match-selectors.ts";
import { textContainers } from "./text-containers.ts";

/** A page to look into, for who writes a profile. */
export interface InspectInput {
  readonly html: string;
  /** The address that it came from; empty for none. */
  readonly url: string;
  /** CSS selectors to try on it. */
  readonly selectors?: readonly string[];
}

/** What a page says of its site, and what is on it. Texts are on one line, empty for none. */
export interface PageInspection {
  readonly siteName: string;
  readonly title: string;
  /** As the page declares it: `ar`, `en-GB`, `ar_EG`. */
  readonly language: string;
  readonly locale: string;
  /** Addresses of feeds that it names, and their titles there; declared ones first. */
  readonly feeds: readonly NamedAddress[];
  /** Selectors of the elements that hold most of its running text, the likeliest first. */
  readonly containers: readonly string[];
  /** One for each of the selectors, in their order. */
  readonly matches: readonly SelectorMatch[];
}

/** An address and what it is called. */
export interface NamedAddress {
  readonly url: string;
  readonly title: string;
}

const MAX_FEEDS = 30;
const FEED_TYPE = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$|^application\/json$|^(?:text|application)\/xml$/i;
const FEED_ADDRESS = /(?:^|[/._=-])(?:rss|atom|feeds?)(?:$|[/._?=-]|\d)/i;

/**
 * Looks into a page: its site's name, language and feeds, where its text is, and what selectors match on it. Throws
 * ExtractError `too-large` or `bad-selector`. Runs as long as the page makes it: use a ReaderPool for pages from
 * outside.
 */
export function inspectPage({ html, url, selectors = [] }: InspectInput): PageInspection {
  if (html.length > MAX_PAGE) throw new ExtractError("too-large", `the page is longer than ${MAX_PAGE} characters`);
  const document = parsePage(html);
  const meta = readMeta(document);
  const publisher = readLinkedData(document)?.publisher ?? "";
  const title = document.querySelector("title");
  return {
    siteName: oneLine(firstMeta(meta, ["og:site_name", "application-name", "apple-mobile-web-app-title"]) || publisher),
    title: title === null ? "" : oneLine(plainText(title)),
    language: document.documentElement?.getAttribute("lang")?.trim() ?? "",
    locale: firstMeta(meta, ["og:locale", "content-language"]),
    feeds: feedsOf(document, url),
    containers: textContainers(document),
    matches: matchSelectors(document, selectors),
  };
}

function feedsOf(document: HtmlDocument, url: string): NamedAddress[] {
  const base = baseUrl(document, url);
  const feeds = new Map<string, string>();
  const add = (href: string | null, title: string) => {
    const address = absoluteUrl(href, base)?.replace(/#.*$/s, "");
    if (address !== undefined && !feeds.has(address) && feeds.size < MAX_FEEDS) feeds.set(address, title);
  };
  for (const link of document.querySelectorAll('link[rel~="alternate"][href]')) {
    if (FEED_TYPE.test(link.getAttribute("type")?.trim() ?? "")) {
      add(link.getAttribute("href"), oneLine(link.getAttribute("title")));
    }
  }
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const path = URL.parse(href, base)?.pathname ?? "";
    if (FEED_ADDRESS.test(path)) add(href, oneLine(plainText(link)));
  }
  return Array.from(feeds, ([address, title]) => ({ url: address, title }));
}
