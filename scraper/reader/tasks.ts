import { type Feed, FeedError, readFeed } from "@isnad/lib/feeds";
import { type ListPage, type ListPageInput, readListPage } from "../discovery/list-page.ts";
import { readSitemap } from "../discovery/read-sitemap.ts";
import { type Sitemap, SitemapError } from "../discovery/sitemap.ts";
import { sitemapText } from "../discovery/sitemap-text.ts";
import { extractPage } from "../extract/extract.ts";
import { ExtractError, type ExtractedPage, type PageInput } from "../extract/item.ts";
import type { ReaderErrorCode } from "./error.ts";

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

/** What a reader thread can be asked to do. */
export type Task =
  | { readonly task: "page"; readonly input: PageInput }
  | { readonly task: "list"; readonly input: ListPageInput }
  | { readonly task: "feed"; readonly input: FeedInput }
  | { readonly task: "sitemap"; readonly input: SitemapInput };

/** What a task comes to. */
export type TaskResult =
  | { readonly task: "page"; readonly page: ExtractedPage }
  | { readonly task: "list"; readonly list: ListPage }
  | { readonly task: "feed"; readonly feed: Feed }
  | { readonly task: "sitemap"; readonly sitemap: Sitemap };

/** Does a task. Throws ExtractError, FeedError or SitemapError. */
export function perform(task: Task): TaskResult {
  switch (task.task) {
    case "page":
      return { task: "page", page: extractPage(task.input) };
    case "list":
      return { task: "list", list: readListPage(task.input) };
    case "feed": {
      const { text, ...options } = task.input;
      return { task: "feed", feed: readFeed(text, options) };
    }
    case "sitemap": {
      const { bytes, contentType, ...options } = task.input;
      return { task: "sitemap", sitemap: readSitemap(sitemapText(bytes, contentType), options) };
    }
  }
}

/** The code under which the pool reports what a task threw. */
export function codeOf(error: unknown): ReaderErrorCode {
  const isNamed = error instanceof ExtractError || error instanceof FeedError || error instanceof SitemapError;
  return isNamed ? error.code : "worker-failed";
}
