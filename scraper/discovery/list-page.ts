import { ExtractError } from "../extract/item.ts";
import { absoluteUrl, baseUrl } from "../extract/fields/addresses.ts";
import { MAX_PAGE } from "../extract/page/limits.ts";
import { type HtmlDocument, type HtmlElement, isElement, parsePage } from "../extract/page/dom.ts";
import { plainText } from "../extract/page/plain.ts";
import { sameSite } from "../extract/page/site.ts";
import { oneLine } from "../extract/page/words.ts";

/** A page whose links lead to articles. */
export interface ListPageInput {
  readonly html: string;
  /** The address that it came from. */
  readonly url: string;
  /** CSS selector of the links, or of elements that each hold a link or stand in one. */
  readonly selector: string;
  /** Takes links to other sites too. Default false. */
  readonly anySite?: boolean;
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
 * Reads the links of a list page in the order of the page, each address once and never the page's own. Throws ExtractError
 * `too-large` or `bad-selector`. Runs as long as the page makes it: use a ReaderPool for pages from outside.
 */
export function readListPage({ html, url, selector, anySite = false }: ListPageInput): ListedLink[] {
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
    const known = texts.get(address);
    if (known === undefined && texts.size >= MAX_LINKS) break;
    const text = oneLine(plainText(link)) || oneLine(link.getAttribute("title"));
    texts.set(address, known !== undefined && known.length >= text.length ? known : text);
  }
  return Array.from(texts, ([address, text]) => ({ url: address, text }));
}

function select(document: HtmlDocument, selector: string): Iterable<HtmlElement> {
  try {
    return document.querySelectorAll(selector);
  } catch (cause) {
    throw new ExtractError("bad-selector", `not a CSS selector: ${selector}`, { cause });
  }
}

const MAX_ANCESTORS = 20;

/** The element itself when it links, else the first link in it, else the link around it. */
function linkOf(element: HtmlElement): HtmlElement | null {
  if (element.getAttribute("href") !== null) return element;
  const inner = element.querySelector("a[href]");
  if (inner !== null) return inner;
  let at = element.parentNode;
  for (let steps = 0; at !== null && steps < MAX_ANCESTORS; steps++, at = at.parentNode) {
    if (isElement(at) && at.localName === "a" && at.getAttribute("href") !== null) return at;
  }
  return null;
}
