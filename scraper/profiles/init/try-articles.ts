import type { Taxonomy } from "@isnad/lib/service/config";
import { fold } from "@isnad/lib/text";
import type { ExtractedPage, PageInput, PageSelectors } from "../../../lib/extraction/extract.ts";
import { ReaderError, type ReaderPool } from "../../../lib/extraction/reader/pool.ts";
import type { SiteClient, SiteFeed, SiteList, SiteSitemap } from "./find-listings.ts";
import type { ZoneGuess } from "./guess-zone.ts";

/** An article that a listing names. */
export interface ListedArticle {
  readonly url: string;
  /** Empty where the listing gives none. */
  readonly title: string;
  readonly publishedAt: string | null;
}

/** An article's page, fetched and read without a selector. */
interface TriedArticle {
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

const MIN_QUALITY = 0.5;
const MIN_WORDS = 60;

/** Tells whether the general extractor read a page well enough to need no selector. */
export function isReadWell({ kind, quality, content }: Pick<ExtractedPage, "kind" | "quality" | "content">): boolean {
  return kind === "article" && quality >= MIN_QUALITY && wordCount(content) >= MIN_WORDS;
}

/** Returns the words of a text. */
function wordCount(text: string): number {
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
async function extractOrNull(reader: Pick<ReaderPool, "extract">, input: PageInput): Promise<ExtractedPage | null> {
  try {
    return await reader.extract(input);
  } catch (error) {
    if (error instanceof ReaderError && error.code !== "closed") return null;
    throw error;
  }
}

/** Returns the offset that a page itself writes its time with, in minutes east of UTC; empty where it names none. */
export function offsetOf({ publishedLocal }: Pick<ExtractedPage, "publishedLocal">): number[] {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(publishedLocal ?? "") ?? [];
  return sign === undefined ? [] : [(sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))];
}

/** A selector that is proposed, and on how many of the tried pages it gave what the general extractor did not. */
interface Proposal {
  readonly field: "title" | "content" | "published_at";
  readonly selector: string;
  readonly pages: number;
}

type Reader = Pick<ReaderPool, "extract" | "inspect">;

/** Names that texts go by on many sites. */
const CONTENT = [
  '[itemprop="articleBody"]',
  ".article-body",
  ".article-content",
  ".article-text",
  ".entry-content",
  ".post-content",
  ".story-body",
  ".news-body",
  ".details-body",
  "#article-body",
  "article",
];
const TITLE = ["h1", '[itemprop="headline"]', ".headline", ".article-title", ".post-title", ".entry-title", ".title"];
const DATE = [
  "time[datetime]",
  '[itemprop="datePublished"]',
  ".published",
  ".publish-date",
  ".post-date",
  ".article-date",
  ".entry-date",
  ".date",
  "time",
];
const MAX_CANDIDATES = 20;
const MIN_CHARS = 300;
/** A container that holds so much of the most text that any candidate holds is as good as that. */
const MIN_TEXT_SHARE = 0.8;

/**
 * Proposes selectors for what the general extractor missed on at least half of the pages: the text where it was unsure,
 * the title where it is not the listing's, the time where nobody gives one. Each is tried on the pages first and counts
 * only where it helps.
 */
export async function proposeSelectors(
  reader: Reader,
  articles: readonly TriedArticle[],
  { zone }: { zone: string },
): Promise<Proposal[]> {
  if (articles.length === 0) return [];
  const half = articles.length / 2;
  const proposals: Proposal[] = [];
  const unsure = articles.filter(({ page }) => !isReadWell(page));
  if (unsure.length >= half) {
    const candidates = await contentCandidates(reader, articles);
    const content = await firstThatHelps(reader, articles, { field: "content", candidates, zone, helps: isReadWell });
    if (content !== null) proposals.push(content);
  }
  const untitled = articles.filter(({ page, listed }) => !isTitle(page.title, listed.title));
  if (untitled.length >= half) {
    const helps = ({ title }: ExtractedPage, { listed }: TriedArticle) => isTitle(title, listed.title);
    const title = await firstThatHelps(reader, articles, { field: "title", candidates: TITLE, zone, helps });
    if (title !== null) proposals.push(title);
  }
  const undated = articles.filter(({ page, listed }) => page.publishedAt === null && listed.publishedAt === null);
  if (undated.length >= half) {
    const helps = ({ publishedAt }: ExtractedPage) => publishedAt !== null;
    const date = await firstThatHelps(reader, articles, { field: "published_at", candidates: DATE, zone, helps });
    if (date !== null) proposals.push(date);
  }
  return proposals;
}

function isTitle(title: string, listed: string): boolean {
  return title !== "" && (listed === "" || fold(title) === fold(listed));
}

/** Candidates for the text: those that hold most of it on all pages, the tightest first. */
async function contentCandidates(reader: Reader, articles: readonly TriedArticle[]): Promise<string[]> {
  const own = await Promise.all(articles.map(({ html, url }) => reader.inspect({ html, url })));
  const selectors = [...new Set([...own.flatMap(({ containers }) => containers), ...CONTENT])].slice(0, MAX_CANDIDATES);
  const pages = await Promise.all(articles.map(({ html, url }) => reader.inspect({ html, url, selectors })));
  const most = pages.map(({ matches }) => Math.max(...matches.map(({ chars }) => chars)));
  const scored = selectors.map((selector, i) => {
    const chars = pages.map(({ matches }) => matches[i]?.chars ?? 0);
    const holding = chars.filter(
      (count, page) => count >= MIN_CHARS && count >= (most[page] ?? 0) * MIN_TEXT_SHARE,
    ).length;
    return { selector, holding, chars: chars.reduce((sum, count) => sum + count, 0) };
  });
  const good = scored.filter(({ holding }) => holding > 0);
  return good.toSorted((a, b) => b.holding - a.holding || a.chars - b.chars).map(({ selector }) => selector);
}

interface Trial {
  readonly field: Proposal["field"];
  readonly candidates: readonly string[];
  readonly zone: string;
  readonly helps: (page: ExtractedPage, article: TriedArticle) => boolean;
}

/**
 * Returns the first of the candidates that helps on most of the pages; null where none helps on more than half of them.
 */
async function firstThatHelps(
  reader: Reader,
  articles: readonly TriedArticle[],
  { field, candidates, zone, helps }: Trial,
): Promise<Proposal | null> {
  let best: Proposal | null = null;
  for (const selector of candidates.slice(0, MAX_TRIALS)) {
    const selectors: PageSelectors = { [field]: selector };
    let pages = 0;
    for (const article of articles) {
      const page = await extractOrNull(reader, { html: article.html, url: article.url, selectors, zone });
      if (page !== null && helps(page, article)) pages++;
    }
    if (pages > (best?.pages ?? articles.length / 2)) best = { field, selector, pages };
    if (pages === articles.length) break;
  }
  return best;
}

const MAX_TRIALS = 10;

/** Holds what was seen of a site. */
export interface InitReport {
  readonly url: string;
  readonly name: string;
  readonly language: { readonly language: "ar" | "en"; readonly why: string };
  readonly zone: ZoneGuess;
  readonly feeds: readonly { readonly url: string; readonly title: string; readonly entries: number }[];
  readonly sitemap: { readonly url: string; readonly isNews: boolean; readonly pages: number } | null;
  readonly list: { readonly url: string; readonly selector: string; readonly links: number } | null;
  readonly articles: readonly TriedReport[];
  readonly proposals: readonly Proposal[];
  /** The source's own labels of categories, the most frequent first; `category` is null for those that no map knows. */
  readonly labels: readonly { readonly label: string; readonly count: number; readonly category: string | null }[];
  /** Holds what the operator should look at. */
  readonly notes: readonly string[];
  readonly requests: number;
}

/** Holds what trying an article came to; `why` says why it could not be read. */
interface TriedReport {
  readonly url: string;
  readonly isReadWell: boolean;
  readonly words: number;
  readonly quality: number;
  readonly title: string;
  readonly publishedAt: string | null;
  readonly why: string | null;
}

/** Holds what was found of a site. */
interface Findings extends Pick<InitReport, "url" | "name" | "language" | "zone" | "proposals" | "requests"> {
  readonly feeds: readonly SiteFeed[];
  readonly sitemap: SiteSitemap | null;
  readonly list: SiteList | null;
  readonly results: TriedArticles;
  /** True when most entries of the feeds carry whole texts, and no page could be read. */
  readonly isFeedWhole: boolean;
  readonly taxonomy: Pick<Taxonomy, "mapLabel">;
}

/** Puts the report together. */
export function reportOf(findings: Findings): InitReport {
  const { feeds, sitemap, list, results, taxonomy, isFeedWhole: _, ...same } = findings;
  return {
    ...same,
    feeds: feeds.map(({ url, title, feed }) => ({ url, title, entries: feed.entries.length })),
    sitemap: sitemap === null ? null : { ...sitemap, pages: sitemap.pages.length },
    list: list === null ? null : { ...list, links: list.links.length },
    articles: reportsOf(results),
    labels: labelsOf(feeds, results, taxonomy),
    notes: notesOf(findings),
  };
}

const MAX_LABELS = 30;

function labelsOf(
  feeds: readonly SiteFeed[],
  { tried }: TriedArticles,
  taxonomy: Pick<Taxonomy, "mapLabel">,
): InitReport["labels"] {
  const counts = new Map<string, number>();
  const labels = [
    ...feeds.flatMap(({ feed }) => feed.entries.flatMap(({ categories }) => categories)),
    ...tried.map(({ page }) => page.category),
  ];
  for (const label of labels) if (label !== "") counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_LABELS)
    .map(([label, count]) => ({ label, count, category: taxonomy.mapLabel("", label)?.categoryId ?? null }));
}

function reportsOf({ tried, failed }: TriedArticles): TriedReport[] {
  return [
    ...tried.map(({ url, page }) => ({
      url,
      isReadWell: isReadWell(page),
      words: wordCount(page.content),
      quality: page.quality,
      title: page.title,
      publishedAt: page.publishedAt,
      why: page.kind === "article" ? null : `looks like a page of another kind: ${page.kind}`,
    })),
    ...failed.map(({ url, why }) => ({
      url,
      isReadWell: false,
      words: 0,
      quality: 0,
      title: "",
      publishedAt: null,
      why,
    })),
  ];
}

function notesOf({ feeds, sitemap, list, zone, results, proposals, isFeedWhole }: Findings): string[] {
  const { tried, failed } = results;
  const unread = tried.filter(({ page }) => !isReadWell(page)).length;
  return [
    zone.isSure ? "" : `timezone ${zone.zone} is a guess: ${zone.why}`,
    feeds.length === 0 && sitemap?.isNews === false
      ? "the sitemap is no news sitemap: it only says when pages were changed"
      : "",
    list === null
      ? ""
      : `there is no feed and no sitemap: check that ${JSON.stringify(list.selector)} matches articles only`,
    tried.length === 0 ? `no article could be read (${failed[0]?.why ?? "none is listed"})` : "",
    unread > 0 && proposals.every(({ field }) => field !== "content") && !isFeedWhole
      ? `${unread} of ${tried.length} articles are not read well and no selector helps: name article.content by hand`
      : "",
    isFeedWhole && proposals.length === 0 ? "pages are not read, the feed has whole texts: full_text is feed" : "",
    "tier is 3 and enabled is false until you change them; category_map is empty",
  ].filter((note) => note !== "");
}
