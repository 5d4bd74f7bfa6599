import type { ExtractedPage, PageInput } from "../../../lib/extraction/mod.ts";
import { ReaderError, type ReaderPool } from "../../../lib/extraction/reader/mod.ts";
import type { SiteClient } from "./site-client.ts";

/** An article that a listing names. */
export interface ListedArticle {
  readonly url: string;
  /** Empty where the listing gives none. */
  readonly title: string;
  readonly publishedAt: string | null;
}

/** An article's page, fetched and read without a selector. */
export interface TriedArticle {
  readonly listed: ListedArticle;
  readonly html: string;
  /** After redirects. */
  readonly url: string;
  readonly page: ExtractedPage;
}

/** Articles that were tried, and why others could not be. */
export interface TriedArticles {
  readonly tried: readonly TriedArticle[];
  readonly failed: readonly { readonly url: string; readonly why: string }[];
}

const SURE = 0.5;
const MIN_WORDS = 60;

/** Whether the general extractor read a page well enough to need no selector. */
export function isReadWell({ kind, quality, content }: Pick<ExtractedPage, "kind" | "quality" | "content">): boolean {
  return kind === "article" && quality >= SURE && wordCount(content) >= MIN_WORDS;
}

/** The words of a text. */
export function wordCount(text: string): number {
  return text === "" ? 0 : text.split(/\s+/).length;
}

/** Fetches articles and reads them in general, times without a zone in UTC, until there are `wanted`. */
export async function tryArticles(
  site: SiteClient,
  reader: Pick<ReaderPool, "extract">,
  articles: readonly ListedArticle[],
  wanted: number,
): Promise<TriedArticles> {
  const tried: TriedArticle[] = [];
  const failed: { url: string; why: string }[] = [];
  for (const listed of articles.slice(0, wanted * 2)) {
    if (tried.length >= wanted) break;
    const answer = await site.get(listed.url);
    if (!answer.ok) {
      failed.push({ url: listed.url, why: answer.why });
      continue;
    }
    try {
      const { text: html, url } = answer;
      tried.push({ listed, html, url, page: await reader.extract({ html, url }) });
    } catch (error) {
      if (!(error instanceof ReaderError) || error.code === "closed") throw error;
      failed.push({ url: listed.url, why: error.message });
    }
  }
  return { tried, failed };
}

/** Reads articles again with the time zone of their site. */
export async function readInZone(
  reader: Pick<ReaderPool, "extract">,
  articles: readonly TriedArticle[],
  zone: string,
): Promise<TriedArticle[]> {
  const pages = await Promise.all(articles.map(({ html, url }) => extractOrNull(reader, { html, url, zone })));
  return articles.map((article, i) => ({ ...article, page: pages[i] ?? article.page }));
}

/** Extracts a page; null for one that cannot be read. */
export async function extractOrNull(
  reader: Pick<ReaderPool, "extract">,
  input: PageInput,
): Promise<ExtractedPage | null> {
  try {
    return await reader.extract(input);
  } catch (error) {
    if (error instanceof ReaderError && error.code !== "closed") return null;
    throw error;
  }
}

/** The offset that a page itself writes its time with, in minutes east of UTC; empty where it names none. */
export function offsetOf({ publishedLocal }: Pick<ExtractedPage, "publishedLocal">): number[] {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(publishedLocal ?? "") ?? [];
  return sign === undefined ? [] : [(sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))];
}
