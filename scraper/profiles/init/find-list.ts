import { trimEnd } from "@isnad/lib/std";
import type { ListedLink } from "../../../lib/extraction/discovery/mod.ts";
import type { ReaderPool } from "../../../lib/extraction/reader/mod.ts";

/** A selector of a front page whose links look like articles. */
export interface SiteList {
  readonly url: string;
  readonly selector: string;
  readonly links: readonly ListedLink[];
}

/** From the narrowest to the widest. */
const SELECTORS = [
  "article h2 a",
  "article h3 a",
  "h2 a",
  "h3 a",
  "h4 a",
  "h2 a, h3 a, h4 a",
  "article a",
  ".title a",
  "main a",
  "li a",
  "a",
];
const MIN_LINKS = 5;
/** Of the links that a selector matches, so many must look like articles. */
const MIN_SHARE = 0.6;

/**
 * The selector that leads to the most articles from a front page, by how their addresses and texts look; null for none.
 */
export async function findList(
  reader: Pick<ReaderPool, "list">,
  home: { readonly text: string; readonly url: string },
): Promise<SiteList | null> {
  let best: (SiteList & { readonly score: number }) | null = null;
  for (const selector of SELECTORS) {
    const { links } = await reader.list({ html: home.text, url: home.url, selector });
    const likely = links.filter(looksLikeArticle);
    const share = likely.length / Math.max(1, links.length);
    const score = likely.length * share * share;
    if (likely.length < MIN_LINKS || share < MIN_SHARE || score <= (best?.score ?? 0)) continue;
    best = { url: home.url, selector, links: likely, score };
  }
  if (best === null) return null;
  const { url, selector, links } = best;
  return { url, selector, links };
}

/** A headline's text, and an address that ends in a number, in a date or in words. */
function looksLikeArticle({ url, text }: ListedLink): boolean {
  const { pathname, search } = new URL(url);
  const last = trimEnd(decodeURIComponentSafe(pathname), /\//).split("/").at(-1) ?? "";
  const isNumbered =
    /\d{3,}/.test(last) || /\/20\d\d\/\d/.test(pathname) || /[?&](?:p|id|article|news)=\d+/.test(search);
  const isWorded = last.split(/[-_]/).length >= 4;
  return (isNumbered || isWorded) && text.split(/\s+/).length >= 4;
}

function decodeURIComponentSafe(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
