import type { HtmlDocument } from "../page/dom.ts";
import { linkOf } from "../page/link-of.ts";
import { select } from "../page/select.ts";
import { sameSite } from "../page/site.ts";
import { absoluteUrl, baseUrl } from "./addresses.ts";

const MAX_LINKS = 5;
const REL_NEXT = 'a[rel~="next"], link[rel~="next"]';

/**
 * Where a page says that it goes on, on the same site and not on itself: the links of the selector, else those with
 * `rel=next`. At most five, in the order of the page. Throws ExtractError `bad-selector`.
 */
export function findNextPages(document: HtmlDocument, url: string, selector: string = REL_NEXT): string[] {
  const base = baseUrl(document, url);
  const own = withoutFragment(absoluteUrl(url, url));
  const addresses = new Set<string>();
  for (const element of select(document, selector)) {
    const address = withoutFragment(absoluteUrl(linkOf(element)?.getAttribute("href"), base));
    if (address !== null && address !== own && sameSite(address, url)) addresses.add(address);
    if (addresses.size >= MAX_LINKS) break;
  }
  return [...addresses];
}

function withoutFragment(address: string | null): string | null {
  return address === null ? null : address.replace(/#.*$/s, "");
}
