import { gunzipSync } from "node:zlib";
import { isoTime, parseDate } from "../../text/dates/mod.ts";
import { decodeText } from "../../web/egress/mod.ts";
import {
  childrenOf,
  firstChild,
  foldedText,
  readXml,
  textUnder,
  webAddress,
  type XmlElement,
} from "../../web/feeds/mod.ts";
import { sameSite } from "../page/addresses.ts";

const MAX_PAGES = 20_000;
const MAX_FILES = 2000;
const MAX_ELEMENTS = 400_000;
const MAX_KEYWORDS = 50;

/** Says where a sitemap came from. */
interface SitemapOptions {
  /** The file's own address: relative ones are resolved against it. */
  readonly url?: string;
  /** IANA time zone of times that name none. Default UTC. */
  readonly zone?: string;
}

/**
 * Reads a sitemap of the sitemaps.org protocol, with the news and image extensions, or a plain list of addresses.
 * Entries without a usable address are left out, as is all beyond 20,000 pages or 2,000 files. Throws SitemapError
 * `not-a-sitemap`, RangeError for an unknown zone.
 */
export function readSitemap(source: string, options: SitemapOptions = {}): Sitemap {
  const text = source.replace(/^[\s\ufeff\0]+/, "");
  if (/^https?:\/\//i.test(text)) return readList(text);
  const root = readXml(text, { maxElements: MAX_ELEMENTS });
  if (root?.name === "sitemapindex") {
    const elements = childrenOf(root, "sitemap");
    const files = elements.slice(0, MAX_FILES).flatMap((element) => readFile(element, options));
    return { kind: "index", files: unique(files), truncated: elements.length > MAX_FILES };
  }
  if (root?.name === "urlset") {
    const elements = childrenOf(root, "url");
    const pages = elements.slice(0, MAX_PAGES).flatMap((element) => readPage(element, options));
    return { kind: "pages", pages: unique(pages), truncated: elements.length > MAX_PAGES };
  }
  throw new SitemapError("not-a-sitemap", root === null ? "there is no element" : `the root element is <${root.name}>`);
}

function readList(text: string): Sitemap {
  const lines = text.split(/\r\n?|\n/, MAX_PAGES + 1);
  const pages = lines.slice(0, MAX_PAGES).flatMap((line) => {
    const address = webAddress(line, undefined);
    return address === null ? [] : [{ url: address, modifiedAt: null, news: null, image: null }];
  });
  return { kind: "pages", pages: unique(pages), truncated: lines.length > MAX_PAGES };
}

function unique<T extends { readonly url: string }>(entries: readonly T[]): T[] {
  const byUrl = new Map<string, T>();
  for (const entry of entries) if (!byUrl.has(entry.url)) byUrl.set(entry.url, entry);
  return [...byUrl.values()];
}

function readFile(element: XmlElement, { url: base, zone }: SitemapOptions): SitemapFile[] {
  const url = webAddress(textOf(element, "loc"), base);
  return url === null ? [] : [{ url, modifiedAt: timeOf(element, "lastmod", zone) }];
}

function readPage(element: XmlElement, { url: base, zone }: SitemapOptions): SitemapPage[] {
  const url = webAddress(textOf(element, "loc"), base);
  if (url === null) return [];
  const news = firstChild(element, "news:news");
  const image = firstChild(element, "image:image");
  return [
    {
      url,
      modifiedAt: timeOf(element, "lastmod", zone),
      news: news === undefined ? null : readNews(news, zone),
      image: image === undefined ? null : webAddress(textOf(image, "image:loc"), base),
    },
  ];
}

function readNews(news: XmlElement, zone: string | undefined): SitemapNews {
  const publication = firstChild(news, "news:publication");
  return {
    title: oneLine(textOf(news, "news:title")),
    publishedAt: timeOf(news, "news:publication_date", zone),
    publication: publication === undefined ? "" : oneLine(textOf(publication, "news:name")),
    language: (publication === undefined ? "" : textOf(publication, "news:language")).trim() || null,
    keywords: textOf(news, "news:keywords")
      .split(/[,،]/, MAX_KEYWORDS)
      .map(oneLine)
      .filter((keyword) => keyword !== ""),
  };
}

function textOf(element: XmlElement, name: string): string {
  const child = firstChild(element, name);
  return child === undefined ? "" : textUnder(child);
}

function timeOf(element: XmlElement, name: string, zone: string | undefined): string | null {
  return isoTime(parseDate(textOf(element, name), zone === undefined ? {} : { zone }));
}

function oneLine(text: string): string {
  return foldedText(text.slice(0, 2000)).replace(/\s+/g, " ");
}

/**
 * The largest sitemap that is read, in bytes after inflating; the protocol allows 50 MB, news sitemaps have 1,000
 * entries.
 */
export const MAX_SITEMAP = 20_000_000;

/**
 * Returns the text of a sitemap file, gzip recognised by its first bytes and not by its name. Throws SitemapError
 * `too-large`, or `not-a-sitemap` for gzip that is damaged.
 */
export function sitemapText(bytes: Uint8Array, contentType?: string): string {
  const inflated = bytes[0] === 0x1f && bytes[1] === 0x8b ? inflate(bytes) : bytes;
  if (inflated.byteLength > MAX_SITEMAP) throw new SitemapError("too-large", `larger than ${MAX_SITEMAP} bytes`);
  return decodeText(inflated, { contentType }).text;
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP });
  } catch (cause) {
    const isLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw isLarge
      ? new SitemapError("too-large", `larger than ${MAX_SITEMAP} bytes after inflating`, { cause })
      : new SitemapError("not-a-sitemap", "the gzip data are damaged", { cause });
  }
}

/** A sitemap that an index names. */
interface SitemapFile {
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
interface SitemapNews {
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
