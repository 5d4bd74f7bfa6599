import type { HtmlDocument, HtmlElement } from "../page/dom.ts";
import { hasWord, taggedIn } from "../page/elements.ts";
import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";
import { siteOf } from "../page/site.ts";

/** An ampersand that is still an entity when the page has been parsed was escaped twice. */
const ESCAPED_AMPERSAND = /&(?:amp|#0*38|#x0*26);/gi;
/** Some pages escape three times. */
const ROUNDS = 3;
const MAX_URL = 20_000;

/**
 * The absolute http or https address that a page writes, null for anything else and for one of more than 20,000
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

/** What links on the page are relative to: `<base href>`, else the page's own address. */
export function baseUrl(document: HtmlDocument, url: string): string {
  return absoluteUrl(document.querySelector("base[href]")?.getAttribute("href"), url) ?? url;
}

/**
 * The address under which the publisher wants the article known: `rel=canonical`, `og:url`, the JSON-LD. One that
 * points to the site's front page, or to another site, is a mistake or a syndication and is passed over. Null when
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
