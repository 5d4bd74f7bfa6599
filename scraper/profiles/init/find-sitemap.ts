import { readRobots } from "@isnad/lib/web/egress";
import type { Sitemap, SitemapPage } from "../../../lib/extraction/discovery/mod.ts";
import { sameSite } from "../../../lib/extraction/mod.ts";
import { ReaderError, type ReaderPool } from "../../../lib/extraction/reader/mod.ts";
import type { SiteClient } from "./site-client.ts";

/** A sitemap of a site that leads to its news. */
export interface SiteSitemap {
  readonly url: string;
  /** Whether it says itself that these are news; otherwise it only tells when pages were changed. */
  readonly isNews: boolean;
  /** The latest first. */
  readonly pages: readonly SitemapPage[];
}

/** Where news sitemaps usually are. */
const USUAL = ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml", "/sitemap.xml"];
const MAX_READ = 8;
const NEWS = /news|akhbar|اخبار|أخبار|latest|recent|google/i;
const WEEK_MS = 7 * 86_400_000;
/** Changed within a week: fewer are no news. */
const MIN_FRESH = 3;

/**
 * The news sitemap of a site: of those that robots.txt names and those in the usual places the first with the news
 * extension, also within an index. Where there is none, one whose pages were changed in the week before `now`; null for
 * neither.
 */
export async function findSitemap(
  site: SiteClient,
  reader: Pick<ReaderPool, "sitemap">,
  { home, product, now }: { home: string; product: string; now: number },
): Promise<SiteSitemap | null> {
  const origin = new URL("/", home).href;
  const robots = await site.get(new URL("/robots.txt", origin).href);
  const named = robots.ok ? readRobots(robots.text, product).sitemaps.filter((url) => sameSite(url, home)) : [];
  const usual = USUAL.map((path) => new URL(path, origin).href);
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
