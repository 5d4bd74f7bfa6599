import type { Taxonomy } from "@isnad/lib/service/config";
import { detectLanguage } from "@isnad/lib/text";
import { EgressError, type PoliteClient } from "@isnad/lib/web/egress";
import type { ReaderPool } from "../../../lib/extraction/reader/pool.ts";
import { createProfileSchema } from "../schema.ts";
import {
  findFeeds,
  findList,
  findSitemap,
  readSiteFeed,
  type SiteAnswer,
  type SiteClient,
  type SiteFeed,
  type SiteList,
  type SiteSitemap,
} from "./find-listings.ts";
import { guessZone, profileName, scheduleFor, siteName } from "./guess-zone.ts";
import {
  type InitReport,
  isReadWell,
  type ListedArticle,
  offsetOf,
  proposeSelectors,
  readInZone,
  reportOf,
  type TriedArticles,
  tryArticles,
} from "./try-articles.ts";
import type { PageInspection } from "../../../lib/extraction/discovery/inspect-page.ts";

/**
 * Makes a client that asks politely, robots.txt obeyed, `minDelayMs` apart. Its `get` rejects only when the signal
 * aborts.
 */
function createSiteClient(
  client: PoliteClient,
  { minDelayMs, signal }: { minDelayMs: number; signal: AbortSignal },
): SiteClient {
  const answers = new Map<string, Promise<SiteAnswer>>();
  const ask = async (url: string): Promise<SiteAnswer> => {
    try {
      const answer = await client(url, { minDelayMs, concurrency: 1, retries: 1, cookies: true, signal });
      if (!answer.ok) return { ok: false, why: `answers ${answer.status}` };
      const { bytes, contentType } = answer;
      return { ok: true, url: answer.url, text: answer.text().text, bytes, contentType };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EgressError)) throw error;
      return { ok: false, why: `${error.code}: ${error.detail}` };
    }
  };
  return {
    get(url) {
      const answer = answers.get(url) ?? ask(url);
      answers.set(url, answer);
      return answer;
    },
    get asked() {
      return answers.size;
    },
  };
}

/** Says how a profile is drafted. */
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
  readonly taxonomy: Pick<Taxonomy, "categories" | "mapLabel">;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

interface InitParts {
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
  const { articles: wanted, taxonomy, now, signal } = options;
  const site = createSiteClient(client, { minDelayMs: options.minDelayMs, signal });
  const { home, inspection, own } = await readHome(site, reader, options.url);
  const feeds = own === null ? await findFeeds(site, reader, { url: home.url, named: inspection?.feeds ?? [] }) : [own];
  const sitemap = await findSitemap(site, reader, { home: home.url, product, now });
  const hasListing = feeds.length > 0 || sitemap !== null;
  const list = hasListing || inspection === null ? null : await findList(reader, home);
  if (!hasListing && list === null)
    throw new InitError(`${home.url} shows no feed, no sitemap and no list of articles`);

  const host = new URL(home.url).hostname;
  const listed = listedArticles(feeds, sitemap, list);
  const { tried, failed } = await tryArticles(site, reader, listed, wanted);
  const zone = guessZone({
    host,
    locales: [inspection?.locale ?? "", inspection?.language ?? "", ...feeds.map(({ feed }) => feed.language ?? "")],
    offsets: [...feeds.flatMap(({ offsets }) => offsets), ...tried.flatMap(({ page }) => offsetOf(page))],
    now,
  });
  const results = { tried: await readInZone(reader, tried, zone.zone), failed };
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
    ...(feeds.length > 0 && { feeds: feeds.map((feed) => feedEntry(feed, feeds.length > 1 ? taxonomy : null)) }),
    ...(sitemap !== null && { sitemaps: [{ url: sitemap.url }] }),
    ...(list !== null && { list_pages: [{ url: list.url, link_selector: list.selector }] }),
    ...(proposals.length > 0 && {
      article: Object.fromEntries(proposals.map(({ field, selector }) => [field, selector])),
    }),
    ...(isFeedWhole && proposals.length === 0 && { full_text: "feed" }),
    politeness: { min_delay_ms: 2000, concurrency: 1 },
  };
  createProfileSchema(taxonomy.categories).parse(profile);
  return {
    profile,
    report: reportOf({
      url: home.url,
      name,
      language,
      zone,
      feeds,
      sitemap,
      list,
      results,
      proposals,
      isFeedWhole,
      taxonomy,
      requests: site.asked,
    }),
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

const MIN_CONFIDENCE = 0.5;

function languageOf(given: "ar" | "en" | undefined, { inspection, feeds, results }: Seen): InitReport["language"] {
  if (given !== undefined) return { language: given, why: "as given" };
  const texts = [
    ...results.tried.map(({ page }) => page.content),
    ...feeds.flatMap(({ feed }) => feed.entries.map(({ title, summaryText }) => `${title}\n${summaryText}`)),
  ];
  const votes = texts.map((text) => detectLanguage(text)).filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
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

/** Tells whether most entries carry texts that may be whole. */
function hasWholeTexts(feeds: readonly SiteFeed[]): boolean {
  const entries = feeds.flatMap(({ feed }) => feed.entries);
  return (
    entries.length > 0 && entries.filter(({ contentText }) => contentText.length >= 1000).length > entries.length / 2
  );
}

/**
 * A feed of one category says so in its title or address; a paper may be called World, so that one feed alone does not.
 */
function feedEntry(
  { url, title }: SiteFeed,
  taxonomy: Pick<Taxonomy, "mapLabel"> | null,
): { url: string; category?: string } {
  const labels = [...title.slice(0, 500).split(/\s*[|\-–—·»:/]+\s*/u), ...new URL(url).pathname.split(/[/.]/)];
  const categories = new Set(labels.flatMap((label) => taxonomy?.mapLabel("", label)?.categoryId ?? []));
  const [category] = categories;
  return categories.size === 1 && category !== undefined ? { url, category } : { url };
}
