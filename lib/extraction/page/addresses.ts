import { hasWord, type HtmlDocument, type HtmlElement, linkOf, select, taggedIn } from "./dom.ts";
import { firstMeta, type LinkedData, type MetaTags } from "./metadata.ts";

/**
 * Returns what stands for the site of a host: its last two labels, three where the last two are as short as in
 * `bbc.co.uk`. An address in numbers is its own site.
 */
export function siteOf(host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, "");
  if (/^[\d.]+$|^\[/.test(bare)) return bare;
  const labels = bare.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(second.length <= 3 && top.length === 2 ? -3 : -2).join(".");
}

/** Returns true when both addresses are of one site; false when one of them is no address. */
export function sameSite(a: string, b: string): boolean {
  const [left, right] = [URL.parse(a), URL.parse(b)];
  return left !== null && right !== null && siteOf(left.hostname) === siteOf(right.hostname);
}

/** An ampersand that is still an entity when the page has been parsed was escaped twice. */
const ESCAPED_AMPERSAND = /&(?:amp|#0*38|#x0*26);/gi;
/** Some pages escape three times. */
const ROUNDS = 3;
const MAX_URL = 20_000;

/**
 * Returns the absolute http or https address that a page writes, null for anything else and for one of more than 20,000
 * characters.
 */
export function absoluteUrl(address: string | null | undefined, base: string): string | null {
  let trimmed = (address ?? "").trim();
  if (trimmed === "" || trimmed.length > MAX_URL) return null;
  for (let round = 0; round < ROUNDS && trimmed.includes("&"); round++) {
    trimmed = trimmed.replace(ESCAPED_AMPERSAND, "&");
  }
  const url = URL.parse(trimmed, URL.canParse(base) ? base : undefined);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? url.href : null;
}

/** Returns what links on the page are relative to: `<base href>`, else the page's own address. */
export function baseUrl(document: HtmlDocument, url: string): string {
  return absoluteUrl(document.querySelector("base[href]")?.getAttribute("href"), url) ?? url;
}

/**
 * Returns the address under which the publisher wants the article known: `rel=canonical`, `og:url`, the JSON-LD. One
 * that points to the site's front page, or to another site, is a mistake or a syndication and is passed over. Null when
 * there is none.
 */
export function findCanonical(
  document: HtmlDocument,
  linked: LinkedData | null,
  meta: MetaTags,
  url: string,
): string | null {
  const own = URL.parse(url);
  const candidates = [linkTo(document, "canonical")?.getAttribute("href"), firstMeta(meta, ["og:url"]), linked?.url];
  for (const candidate of candidates) {
    const address = absoluteUrl(candidate, url);
    if (address === null) continue;
    const { pathname, search, hostname } = new URL(address);
    if (own === null) return address;
    const isFront = pathname === "/" && search === "" && own.pathname !== "/";
    if (!isFront && siteOf(hostname) === siteOf(own.hostname)) return address;
  }
  return null;
}

/** Returns the first `<link>` of a relation. */
export function linkTo(document: HtmlDocument, relation: string): HtmlElement | undefined {
  return taggedIn(document, "link").find((link) => hasWord(link, "rel", relation));
}

const MAX_LINKS = 5;
const REL_NEXT = 'a[rel~="next"], link[rel~="next"]';

/**
 * Finds where a page says that it goes on, on the same site and not on itself: the links of the selector, else those
 * with `rel=next`. At most five, in the order of the page. Throws ExtractError `bad-selector`.
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
