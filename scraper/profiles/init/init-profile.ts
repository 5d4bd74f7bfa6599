import { detectLanguage } from "@isnad/lib/text";
import type { PoliteClient } from "@isnad/lib/egress";
import type { PageInspection } from "../../discovery/index.ts";
import type { ReaderPool } from "../../reader/index.ts";
import { createProfileSchema } from "../schema.ts";
import { findFeeds, readSiteFeed, type SiteFeed } from "./find-feeds.ts";
import { findList, type SiteList } from "./find-list.ts";
import { findSitemap, type SiteSitemap } from "./find-sitemap.ts";
import { guessZone, type ZoneGuess } from "./guess-zone.ts";
import { profileName, scheduleFor, siteName } from "./names.ts";
import { type Proposal, proposeSelectors } from "./propose-selectors.ts";
import { createSiteClient, type SiteClient } from "./site-client.ts";
import { isReadWell, type ListedArticle, type TriedArticles, tryArticles, wordCount } from "./try-articles.ts";

/** How a profile is drafted. */
export interface InitOptions {
  /** The site's front page, or one of its feeds. */
  readonly url: string;
  /** Default: made of the host and the language. */
  readonly name?: string | undefined;
  /** Default: as the site's texts are. */
  readonly language?: "ar" | "en" | undefined;
  /** Articles that are tried. */
  readonly articles: number;
  /** Between two requests, in milliseconds. */
  readonly minDelayMs: number;
  /** Canonical categories. */
  readonly categories: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What a draft is made with. */
export interface InitParts {
  readonly client: PoliteClient;
  /** The name by which robots.txt knows the client. */
  readonly product: string;
  readonly reader: Pick<ReaderPool, "extract" | "feed" | "inspect" | "list" | "sitemap">;
}

/** A drafted profile, valid by the schema, and how it came about. */
export interface InitResult {
  /** As it goes into its file. */
  readonly profile: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly report: InitReport;
}

/** What was seen of a site. */
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
  /** What the operator should look at. */
  readonly notes: readonly string[];
  readonly requests: number;
}

/** What trying an article came to; `why` says why it could not be read. */
export interface TriedReport {
  readonly url: string;
  readonly isReadWell: boolean;
  readonly words: number;
  readonly quality: number;
  readonly title: string;
  readonly publishedAt: string | null;
  readonly why: string | null;
}

/** A profile cannot be drafted; the message says why. */
export class InitError extends Error {
  override name = "InitError";
}

/**
 * Drafts the profile of a site out of what it shows: feeds, news sitemap, language, time zone, name; tries some of its
 * articles and proposes selectors where they are not read well. Throws {@link InitError} where the site cannot be had
 * or shows no articles.
 */
export async function initProfile({ client, product, reader }: InitParts, options: InitOptions): Promise<InitResult> {
  const { articles: wanted, categories, now, signal } = options;
  const site = createSiteClient(client, { minDelayMs: options.minDelayMs, signal });
  const { home, inspection, own } = await readHome(site, reader, options.url);
  const feeds = own === null ? await findFeeds(site, reader, { url: home.url, named: inspection?.feeds ?? [] }) : [own];
  const sitemap = await findSitemap(site, reader, { home: home.url, product, now });
  const hasListing = feeds.length > 0 || sitemap !== null;
  const list = hasListing || inspection === null ? null : await findList(reader, home);
  if (!hasListing && list === null)
    throw new InitError(`${home.url} shows no feed, no sitemap and no list of articles`);

  const host = new URL(home.url).hostname;
  const zone = guessZone({
    host,
    locales: [inspection?.locale ?? "", inspection?.language ?? "", ...feeds.map(({ feed }) => feed.language ?? "")],
    offsets: feeds.flatMap(({ offsets }) => offsets),
    now,
  });
  const listed = listedArticles(feeds, sitemap, list);
  const results = await tryArticles(site, reader, listed, { wanted, zone: zone.zone });
  const proposals = await proposeSelectors(reader, results.tried, { zone: zone.zone });
  const language = languageOf(options.language, { inspection, feeds, results });
  const name = siteName(inspection, feeds[0]?.title ?? "", host);
  const slug = options.name ?? profileName(host, language.language);
  const isFeedWhole = hasWholeTexts(feeds) && results.tried.filter(({ page }) => isReadWell(page)).length === 0;
  const profile = {
    $schema: "./profile.schema.json",
    name: slug,
    provider: slug,
    enabled: false,
    language: language.language,
    schedule: scheduleFor(
      listed.map(({ publishedAt }) => publishedAt),
      now,
    ),
    timezone: zone.zone,
    source: { id: slug, name, tier: 3, homepage: home.url },
    ...(feeds.length > 0 && { feeds: feeds.map((feed) => feedEntry(feed, categories)) }),
    ...(sitemap !== null && { sitemaps: [{ url: sitemap.url }] }),
    ...(list !== null && { list_pages: [{ url: list.url, link_selector: list.selector }] }),
    ...(proposals.length > 0 && {
      article: Object.fromEntries(proposals.map(({ field, selector }) => [field, selector])),
    }),
    ...(isFeedWhole && proposals.length === 0 && { full_text: "feed" }),
    politeness: { min_delay_ms: 2000, concurrency: 1 },
  };
  createProfileSchema(categories).parse(profile);
  return {
    profile,
    report: {
      url: home.url,
      name,
      language,
      zone,
      feeds: feeds.map(({ url, title, feed }) => ({ url, title, entries: feed.entries.length })),
      sitemap: sitemap === null ? null : { ...sitemap, pages: sitemap.pages.length },
      list: list === null ? null : { ...list, links: list.links.length },
      articles: reportsOf(results),
      proposals,
      notes: notesOf({ feeds, sitemap, list, zone, results, proposals, isFeedWhole }),
      requests: site.asked,
    },
  };
}

interface Home {
  readonly home: { readonly url: string; readonly text: string };
  /** Null where only a feed could be had. */
  readonly inspection: PageInspection | null;
  /** The feed that the address is one of. */
  readonly own: SiteFeed | null;
}

async function readHome(site: SiteClient, reader: InitParts["reader"], url: string): Promise<Home> {
  const answer = await site.get(url);
  if (!answer.ok) throw new InitError(`${url} cannot be had: ${answer.why}`);
  const own = /^\s*(?:<\?xml|<rss|<feed|<rdf|\{)/i.test(answer.text) ? await readSiteFeed(reader, answer) : null;
  if (own === null) {
    return { home: answer, inspection: await reader.inspect({ html: answer.text, url: answer.url }), own };
  }
  const homepage = own.feed.link ?? new URL("/", answer.url).href;
  const page = await site.get(homepage);
  if (!page.ok) return { home: { url: homepage, text: "" }, inspection: null, own };
  return { home: page, inspection: await reader.inspect({ html: page.text, url: page.url }), own };
}

/** Articles to try: the first of each feed, then the second of each; without feeds the sitemap's, then the list's. */
function listedArticles(
  feeds: readonly SiteFeed[],
  sitemap: SiteSitemap | null,
  list: SiteList | null,
): ListedArticle[] {
  const longest = Math.max(0, ...feeds.map(({ feed }) => feed.entries.length));
  const ofFeeds = Array.from({ length: longest }, (_, i) =>
    feeds.flatMap(({ feed }): ListedArticle[] => {
      const entry = feed.entries[i];
      if (entry === undefined || entry.link === null) return [];
      return [{ url: entry.link, title: entry.title, publishedAt: entry.publishedAt ?? entry.updatedAt }];
    }),
  ).flat();
  const ofSitemap = (sitemap?.pages ?? []).map(({ url, news }) => ({
    url,
    title: news?.title ?? "",
    publishedAt: news?.publishedAt ?? null,
  }));
  const ofList = (list?.links ?? []).map(({ url }) => ({ url, title: "", publishedAt: null }));
  const byUrl = new Map<string, ListedArticle>();
  for (const article of ofFeeds.length > 0 ? ofFeeds : [...ofSitemap, ...ofList]) {
    if (!byUrl.has(article.url)) byUrl.set(article.url, article);
  }
  return [...byUrl.values()];
}

interface Seen {
  readonly inspection: PageInspection | null;
  readonly feeds: readonly SiteFeed[];
  readonly results: TriedArticles;
}

const SURE = 0.5;

function languageOf(given: "ar" | "en" | undefined, { inspection, feeds, results }: Seen): InitReport["language"] {
  if (given !== undefined) return { language: given, why: "as given" };
  const texts = [
    ...results.tried.map(({ page }) => page.content),
    ...feeds.flatMap(({ feed }) => feed.entries.map(({ title, summaryText }) => `${title}\n${summaryText}`)),
  ];
  const votes = texts.map((text) => detectLanguage(text)).filter(({ confidence }) => confidence >= SURE);
  const count = (lang: string) => votes.filter((vote) => vote.lang === lang).length;
  const [ar, en] = [count("ar"), count("en")];
  if (ar + en > votes.length / 2)
    return { language: ar >= en ? "ar" : "en", why: `the texts of ${Math.max(ar, en)} articles` };
  const declared = [inspection?.language, inspection?.locale, ...feeds.map(({ feed }) => feed.language)];
  for (const value of declared) {
    const code = /^\s*(ar|en)(?:[-_]|\s*$)/i.exec(value ?? "")?.[1]?.toLowerCase();
    if (code === "ar" || code === "en") return { language: code, why: `the site says ${value}` };
  }
  throw new InitError(
    "the site's language is neither Arabic nor English, as far as its texts show; --language decides it",
  );
}

/** Whether most entries carry texts that may be whole. */
function hasWholeTexts(feeds: readonly SiteFeed[]): boolean {
  const entries = feeds.flatMap(({ feed }) => feed.entries);
  return (
    entries.length > 0 && entries.filter(({ contentText }) => contentText.length >= 1000).length > entries.length / 2
  );
}

function feedEntry({ url, title }: SiteFeed, categories: readonly string[]): { url: string; category?: string } {
  const words = new Set(`${new URL(url).pathname} ${title}`.toLowerCase().split(/[^a-z]+/));
  const named = categories.filter((category) => words.has(category));
  return named.length === 1 && named[0] !== undefined ? { url, category: named[0] } : { url };
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

interface Findings {
  readonly feeds: readonly SiteFeed[];
  readonly sitemap: SiteSitemap | null;
  readonly list: SiteList | null;
  readonly zone: ZoneGuess;
  readonly results: TriedArticles;
  readonly proposals: readonly Proposal[];
  readonly isFeedWhole: boolean;
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
