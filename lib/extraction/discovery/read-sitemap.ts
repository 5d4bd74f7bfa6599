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
import { type Sitemap, SitemapError, type SitemapFile, type SitemapNews, type SitemapPage } from "./sitemap.ts";

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
