import { matchesPath, normalisePath } from "../../web/egress/mod.ts";
import type { Feed } from "../../web/feeds/mod.ts";
import type { ListedLink } from "./inspect-page.ts";
import type { SitemapPage } from "./sitemap.ts";

/**
 * An article that a feed, a sitemap or a list page names, and what it says of it. Texts are plain, empty when unknown.
 */
export interface DiscoveredEntry {
  /** Absolute http or https address. */
  readonly url: string;
  readonly title: string;
  /** ISO 8601 UTC. */
  readonly publishedAt: string | null;
  readonly updatedAt: string | null;
  readonly author: string;
  readonly categories: readonly string[];
  readonly summary: string;
  readonly content: string;
  readonly image: string | null;
}

/** Returns the entries of a feed that have a link, each address once. */
export function entriesOfFeed(feed: Feed): DiscoveredEntry[] {
  return unique(
    feed.entries.flatMap((entry) => {
      if (entry.link === null) return [];
      const image = entry.enclosures.find(({ type, url }) => isImage(type, url));
      return [
        {
          url: entry.link,
          title: entry.title,
          publishedAt: entry.publishedAt,
          updatedAt: entry.updatedAt,
          author: entry.author,
          categories: entry.categories,
          summary: entry.summaryText,
          content: entry.contentText,
          image: image?.url ?? entry.image,
        },
      ];
    }),
  );
}

/** Returns the pages of a sitemap. */
export function entriesOfSitemap(pages: readonly SitemapPage[]): DiscoveredEntry[] {
  return unique(
    pages.map(({ url, modifiedAt, news, image }) => ({
      ...blank(url),
      title: news?.title ?? "",
      publishedAt: news?.publishedAt ?? null,
      updatedAt: modifiedAt,
      categories: news?.keywords ?? [],
      image,
    })),
  );
}

/** Returns the links of a list page; their texts serve as titles until the page itself is read. */
export function entriesOfLinks(links: readonly ListedLink[]): DiscoveredEntry[] {
  return unique(links.map(({ url, text }) => ({ ...blank(url), title: text })));
}

function blank(url: string): DiscoveredEntry {
  return {
    url,
    title: "",
    publishedAt: null,
    updatedAt: null,
    author: "",
    categories: [],
    summary: "",
    content: "",
    image: null,
  };
}

function isImage(type: string | null, url: string): boolean {
  return type === null ? /\.(?:jpe?g|png|webp|gif|avif)(?:$|\?)/i.test(url) : /^image\//i.test(type);
}

function unique(entries: readonly DiscoveredEntry[]): DiscoveredEntry[] {
  const byUrl = new Map<string, DiscoveredEntry>();
  for (const entry of entries) if (!byUrl.has(entry.url)) byUrl.set(entry.url, entry);
  return [...byUrl.values()];
}

/** Patterns for the paths of articles, with their queries, as robots.txt writes them (RFC 9309). */
export interface UrlPatterns {
  /** Patterns of paths that are kept; everything is kept when left out. */
  readonly keep?: readonly string[] | undefined;
  /** Wins over `keep`. */
  readonly block?: readonly string[] | undefined;
}

/** Makes the test whether an address is one that the patterns let through; what is no address is none. */
export function createUrlFilter({ keep = [], block = [] }: UrlPatterns): (address: string) => boolean {
  const kept = keep.map(normalisePath);
  const blocked = block.map(normalisePath);
  return (address) => {
    const url = URL.parse(address);
    if (url === null) return false;
    const path = normalisePath(url.pathname + url.search);
    const matches = (pattern: string) => matchesPath(pattern, path);
    return !blocked.some(matches) && (kept.length === 0 || kept.some(matches));
  };
}
