import { serve } from "../../service/threads/mod.ts";
import { readFeed } from "../../web/feeds/mod.ts";
import { type InspectInput, inspectPage, type ListPageInput, readListPage } from "../discovery/inspect-page.ts";
import { readSitemap, sitemapText } from "../discovery/sitemap.ts";
import { extractPage } from "../extract.ts";
import type { PageInput } from "../item.ts";

/** A feed to read. */
export interface FeedInput {
  readonly text: string;
  /** The address that it came from; empty for none. */
  readonly url: string;
  /** IANA time zone of times that name none. Default UTC. */
  readonly zone?: string;
}

/** A sitemap file to read, plain or gzip. */
export interface SitemapInput {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType?: string;
  /** IANA time zone of times that name none. Default UTC. */
  readonly zone?: string;
}

/** Returns what a parser thread does. Its handlers throw ExtractError, FeedError and SitemapError. */
export function start() {
  return {
    extract: (input: PageInput) => extractPage(input),
    list: (input: ListPageInput) => readListPage(input),
    inspect: (input: InspectInput) => inspectPage(input),
    feed: ({ text, ...options }: FeedInput) => readFeed(text, options),
    sitemap: ({ bytes, contentType, ...options }: SitemapInput) =>
      readSitemap(sitemapText(bytes, contentType), options),
  };
}

serve(start);
