import type { HtmlDocument, HtmlElement } from "../page/dom.ts";
import { hasWord, taggedIn } from "../page/elements.ts";
import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";
import { siteOf } from "../page/site.ts";

const IMAGES = [
  "og:image:secure_url",
  "og:image",
  "og:image:url",
  "twitter:image",
  "twitter:image:src",
  "image",
  "thumbnailurl",
  "parsely-image-url",
];

/**
 * The absolute http or https address that a page writes, null for anything else. Only the scheme's own characters are
 * kept.
 */
export function absoluteUrl(address: string | null | undefined, base: string): string | null {
  const trimmed = (address ?? "").trim();
  if (trimmed === "") return null;
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

function linkTo(document: HtmlDocument, relation: string): HtmlElement | undefined {
  return taggedIn(document, "link").find((link) => hasWord(link, "rel", relation));
}

/** The address of the lead image, null for none. */
export function findImage(
  document: HtmlDocument,
  linked: LinkedData | null,
  meta: MetaTags,
  base: string,
): string | null {
  const candidates = [
    firstMeta(meta, IMAGES),
    linked?.image,
    linkTo(document, "image_src")?.getAttribute("href"),
    document.querySelector("article figure img[src], main figure img[src], article img[src]")?.getAttribute("src"),
  ];
  for (const candidate of candidates) {
    const address = absoluteUrl(candidate, base);
    if (address !== null) return address;
  }
  return null;
}
