import { trimEnd } from "@isnad/lib/std";
import { readRobots } from "@isnad/lib/web/egress";
import { type Feed, webAddress } from "@isnad/lib/web/feeds";
import { sameSite } from "../../../lib/extraction/extract.ts";
import { ReaderError, type ReaderPool } from "../../../lib/extraction/reader/pool.ts";
import { offsetsIn } from "./guess-zone.ts";
import type { ListedLink, NamedAddress } from "../../../lib/extraction/discovery/inspect-page.ts";
import type { Sitemap, SitemapPage } from "../../../lib/extraction/discovery/sitemap.ts";

/** An answer, or why there is none that serves. */
export type SiteAnswer =
  | {
      readonly ok: true;
      /** After redirects. */
      readonly url: string;
      readonly text: string;
      readonly bytes: Uint8Array;
      readonly contentType: string | undefined;
    }
  | { readonly ok: false; readonly why: string };

/** Asks the addresses of one site, each once. */
export interface SiteClient {
  get(url: string): Promise<SiteAnswer>;
  /** Addresses asked so far. */
  readonly asked: number;
}

/** A feed of a site, read. */
export interface SiteFeed {
  readonly url: string;
  readonly title: string;
  readonly feed: Feed;
  /** Minutes east of UTC of the clocks that wrote its times. */
  readonly offsets: readonly number[];
}

/** Says where feeds usually are, below the front page and below the site's root. */
const USUAL_FEEDS = ["feed/", "rss", "rss.xml", "feed.xml", "atom.xml", "index.xml", "feed.json"];
const MAX_TRIES = 14;
const MAX_FEEDS = 8;
/** Two feeds that share so much of their entries are one in two forms, or one within the other. */
const SAME = 0.8;
const NO_NEWS = /comment|تعليق|podcast|jobs?\b|wp-json/i;

/**
 * Returns the feeds of a site that have entries: those that its front page names, else those in the usual places. One
 * whose entries another has already is left out, and so are feeds of comments.
 */
export async function findFeeds(
  site: SiteClient,
  reader: Pick<ReaderPool, "feed">,
  home: { readonly url: string; readonly named: readonly NamedAddress[] },
): Promise<SiteFeed[]> {
  const named = home.named.filter(({ url, title }) => !NO_NEWS.test(`${url} ${title}`)).map(({ url }) => url);
  const feeds = await readAll(site, reader, named.slice(0, MAX_TRIES));
  if (feeds.length > 0) return feeds;
  const bases = new Set([`${trimEnd(home.url.replace(/[?#].*$/s, ""), /\//)}/`, new URL("/", home.url).href]);
  const usual = USUAL_FEEDS.flatMap((path) => [...bases].map((base) => new URL(path, base).href));
  return readAll(site, reader, usual.slice(0, MAX_TRIES), 1);
}

async function readAll(
  site: SiteClient,
  reader: Pick<ReaderPool, "feed">,
  addresses: readonly string[],
  enough = MAX_FEEDS,
): Promise<SiteFeed[]> {
  const feeds: SiteFeed[] = [];
  for (const address of addresses) {
    if (feeds.length >= enough) break;
    const answer = await site.get(address);
    const read = answer.ok ? await readSiteFeed(reader, answer) : null;
    if (read === null || read.feed.entries.length === 0 || feeds.some((other) => isPartOf(read.feed, other.feed)))
      continue;
    feeds.push(read);
  }
  return feeds;
}

/** Reads what was answered as a feed; null for what is none. */
export async function readSiteFeed(
  reader: Pick<ReaderPool, "feed">,
  { text, url }: { readonly text: string; readonly url: string },
): Promise<SiteFeed | null> {
  try {
    const feed = await reader.feed({ text, url });
    return { url, title: feed.title, feed, offsets: offsetsIn(text) };
  } catch (error) {
    if (error instanceof ReaderError && error.code !== "closed") return null;
    throw error;
  }
}

function isPartOf(feed: Feed, other: Feed): boolean {
  const links = new Set(other.entries.map(({ link }) => webAddress(link ?? "", undefined)));
  const shared = feed.entries.filter(({ link }) => links.has(webAddress(link ?? "", undefined)));
  return shared.length >= feed.entries.length * SAME;
}

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
 * Returns the selector that leads to the most articles from a front page, by how their addresses and texts look; null
 * for none.
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

/** A sitemap of a site that leads to its news. */
export interface SiteSitemap {
  readonly url: string;
  /** True when it says itself that these are news; otherwise it only tells when pages were changed. */
  readonly isNews: boolean;
  /** The latest first. */
  readonly pages: readonly SitemapPage[];
}

/** Says where news sitemaps usually are. */
const USUAL_SITEMAPS = ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml", "/sitemap.xml"];
const MAX_READ = 8;
const NEWS = /news|akhbar|اخبار|أخبار|latest|recent|google/i;
const WEEK_MS = 7 * 86_400_000;
/** Changed within a week: fewer are no news. */
const MIN_FRESH = 3;

/**
 * Returns the news sitemap of a site: of those that robots.txt names and those in the usual places the first with the
 * news extension, also within an index. Where there is none, one whose pages were changed in the week before `now`;
 * null for neither.
 */
export async function findSitemap(
  site: SiteClient,
  reader: Pick<ReaderPool, "sitemap">,
  { home, product, now }: { home: string; product: string; now: number },
): Promise<SiteSitemap | null> {
  const origin = new URL("/", home).href;
  const robots = await site.get(new URL("/robots.txt", origin).href);
  const named = robots.ok ? readRobots(robots.text, product).sitemaps.filter((url) => sameSite(url, home)) : [];
  const usual = USUAL_SITEMAPS.map((path) => new URL(path, origin).href);
  const waiting = [...new Set([...newsFirst(named), ...usual])];
  let fresh: SiteSitemap | null = null;
  for (let read = 0; read < MAX_READ && waiting.length > 0; read++) {
    const url = waiting.shift() ?? "";
    const answer = await site.get(url);
    const sitemap = answer.ok ? await readSitemapOf(reader, answer) : null;
    if (sitemap === null) continue;
    if (sitemap.kind === "index") {
      const files = sitemap.files.toSorted((a, b) => (b.modifiedAt ?? "").localeCompare(a.modifiedAt ?? ""));
      const inside = newsFirst(files.map((file) => file.url).filter((file) => sameSite(file, home)));
      waiting.unshift(...inside.filter((file) => NEWS.test(file)).slice(0, 3));
      waiting.push(...inside.filter((file) => !NEWS.test(file)).slice(0, 2));
      continue;
    }
    const pages = sitemap.pages.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
    if (pages.some(({ news }) => news !== null)) return { url, isNews: true, pages };
    const isFresh = pages.filter((page) => Date.parse(timeOf(page)) > now - WEEK_MS).length >= MIN_FRESH;
    if (isFresh) fresh ??= { url, isNews: false, pages };
  }
  return fresh;
}

function newsFirst(addresses: readonly string[]): string[] {
  return addresses.toSorted((a, b) => Number(NEWS.test(b)) - Number(NEWS.test(a)));
}

function timeOf({ news, modifiedAt }: SitemapPage): string {
  return news?.publishedAt ?? modifiedAt ?? "";
}

async function readSitemapOf(
  reader: Pick<ReaderPool, "sitemap">,
  { bytes, url, contentType }: { bytes: Uint8Array; url: string; contentType: string | undefined },
): Promise<Sitemap | null> {
  try {
    return await reader.sitemap({ bytes, url, ...(contentType !== undefined && { contentType }) });
  } catch (error) {
    if (error instanceof ReaderError && error.code !== "closed") return null;
    throw error;
  }
}
