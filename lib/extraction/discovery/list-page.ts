import { ExtractError } from "../item.ts";
import { absoluteUrl, baseUrl, findNextPages, sameSite } from "../page/addresses.ts";
import { MAX_PAGE, oneLine, plainText } from "../page/text.ts";
import { linkOf, parsePage, select } from "../page/dom.ts";

/** A page whose links lead to articles. */
export interface ListPageInput {
  readonly html: string;
  /** The address that it came from. */
  readonly url: string;
  /** CSS selector of the links, or of elements that each hold a link or stand in one. */
  readonly selector: string;
  /** CSS selector of the link to the next page of the list. Default: `rel=next`. */
  readonly next?: string;
  /** Takes links to other sites too. Default false. */
  readonly anySite?: boolean;
}

/** Holds what a list page leads to. */
export interface ListPage {
  readonly links: readonly ListedLink[];
  /** The next page of the list, on the same site; null for none. */
  readonly next: string | null;
}

/** A link of a list page. */
export interface ListedLink {
  /** Absolute, without a fragment. */
  readonly url: string;
  /** The longest text of the links to it, on one line; empty for one around an image. */
  readonly text: string;
}

const MAX_LINKS = 1000;

/**
 * Reads the links of a list page in the order of the page, each address once and never the page's own, and where the
 * list goes on. Throws ExtractError `too-large` or `bad-selector`. Runs as long as the page makes it: use a ReaderPool
 * for pages from outside.
 */
export function readListPage({ html, url, selector, next, anySite = false }: ListPageInput): ListPage {
  if (html.length > MAX_PAGE) throw new ExtractError("too-large", `the page is longer than ${MAX_PAGE} characters`);
  const document = parsePage(html);
  const base = baseUrl(document, url);
  const own = absoluteUrl(url, url)?.replace(/#.*$/s, "");
  const texts = new Map<string, string>();
  for (const element of select(document, selector)) {
    const link = linkOf(element);
    const address = absoluteUrl(link?.getAttribute("href"), base)?.replace(/#.*$/s, "");
    if (link === null || address === undefined || address === own) continue;
    if (!anySite && !sameSite(address, url)) continue;
    const earlier = texts.get(address);
    if (earlier === undefined && texts.size >= MAX_LINKS) break;
    const text = oneLine(plainText(link)) || oneLine(link.getAttribute("title"));
    texts.set(address, earlier !== undefined && earlier.length >= text.length ? earlier : text);
  }
  return {
    links: Array.from(texts, ([address, text]) => ({ url: address, text })),
    next: findNextPages(document, url, next)[0] ?? null,
  };
}
