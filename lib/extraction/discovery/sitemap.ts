import { sameSite } from "../page/addresses.ts";

/** A sitemap that an index names. */
export interface SitemapFile {
  readonly url: string;
  /** ISO 8601 UTC. */
  readonly modifiedAt: string | null;
}

/** A page that a sitemap names. */
export interface SitemapPage {
  readonly url: string;
  readonly modifiedAt: string | null;
  /** Holds what Google's news extension says of it; null for a plain entry. */
  readonly news: SitemapNews | null;
  readonly image: string | null;
}

/** The news extension of a sitemap entry. */
export interface SitemapNews {
  readonly title: string;
  readonly publishedAt: string | null;
  readonly publication: string;
  readonly language: string | null;
  readonly keywords: readonly string[];
}

/** A sitemap file: an index of others, or pages. `truncated` says that it holds more than was read. */
export type Sitemap =
  | { readonly kind: "index"; readonly files: readonly SitemapFile[]; readonly truncated: boolean }
  | { readonly kind: "pages"; readonly pages: readonly SitemapPage[]; readonly truncated: boolean };

/** A file is no sitemap, or too large to read as one. */
export class SitemapError extends Error {
  override name = "SitemapError";
  readonly code: "not-a-sitemap" | "too-large";
  constructor(code: SitemapError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Says how {@link gatherSitemaps} goes about it. */
interface GatherOptions {
  /** Fetches and reads one file; null for one that has not changed since it was read last. */
  readonly read: (url: string) => Promise<Sitemap | null>;
  /** Levels of indexes below the first file. Default 2. */
  readonly maxDepth?: number;
  /** Files that are read. Default 20. */
  readonly maxFiles?: number;
  /** Pages that are returned. Default 5,000. */
  readonly maxPages?: number;
  /** Files and pages that were last modified before this time, ISO 8601, are passed over. */
  readonly since?: string;
  readonly signal?: AbortSignal;
}

/** Pages of a sitemap and of those that it leads to, and what went wrong with some of the files. */
interface GatheredPages {
  readonly pages: readonly SitemapPage[];
  readonly problems: readonly { readonly url: string; readonly error: unknown }[];
}

/**
 * Reads a sitemap and, where it is an index, the files it names: the lately modified first, of the same site only, each
 * once, within the bounds of depth and number. A file that fails is a problem, not an end. Rejects only when the signal
 * aborts.
 */
export async function gatherSitemaps(start: string, options: GatherOptions): Promise<GatheredPages> {
  const { read, maxDepth = 2, maxFiles = 20, maxPages = 5000, since = "", signal } = options;
  const pages = new Map<string, SitemapPage>();
  const problems: { url: string; error: unknown }[] = [];
  const seen = new Set<string>([start]);
  const waiting: { url: string; depth: number }[] = [{ url: start, depth: 0 }];
  for (let files = 0; waiting.length > 0 && files < maxFiles && pages.size < maxPages; files++) {
    signal?.throwIfAborted();
    const next = waiting.shift();
    if (next === undefined) break;
    try {
      const sitemap = await read(next.url);
      if (sitemap?.kind === "index" && next.depth < maxDepth) {
        const fresh = sitemap.files
          .filter((file) => isSince(file.modifiedAt, since) && sameSite(file.url, start) && !seen.has(file.url))
          .toSorted(latestFirst);
        for (const { url } of fresh) {
          seen.add(url);
          waiting.push({ url, depth: next.depth + 1 });
        }
      }
      for (const page of sitemap?.kind === "pages" ? sitemap.pages : []) {
        if (pages.size >= maxPages) break;
        const time = page.news?.publishedAt ?? page.modifiedAt;
        if (isSince(time, since) && sameSite(page.url, start) && !pages.has(page.url)) pages.set(page.url, page);
      }
    } catch (error) {
      signal?.throwIfAborted();
      problems.push({ url: next.url, error });
    }
  }
  return { pages: [...pages.values()], problems };
}

function isSince(time: string | null, since: string): boolean {
  return time === null || since === "" || Date.parse(time) >= Date.parse(since);
}

function latestFirst(a: SitemapFile, b: SitemapFile): number {
  return (b.modifiedAt ?? "").localeCompare(a.modifiedAt ?? "");
}
