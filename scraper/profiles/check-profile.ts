import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "@isnad/lib/service/http";
import { decodeText, EgressError } from "@isnad/lib/web/egress";
import { createUrlFilter, type DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";
import type { PageKind } from "../../lib/extraction/extract.ts";
import { ReaderError, type ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { fetchFor } from "../crawl/fetch.ts";
import { ListingError, listingsOf, readListing } from "../crawl/discover.ts";
import type { CrawlParts } from "../crawl/types.ts";
import { pageHints } from "../crawl/visit.ts";
import type { Profile } from "./schema.ts";

/** A selector of a profile. */
interface NamedSelector {
  /** Says where it stands: `article.content`, `list_pages.0.link_selector`. */
  readonly field: string;
  readonly selector: string;
  /** Says which pages it is for. */
  readonly on: "article" | "list";
  /**
   * True when it has to match somewhere: without its part there is no article, or none that is dated as the profile
   * wants it.
   */
  readonly required: boolean;
}

type ArticleParts = NonNullable<Profile["article"]>;

const PARTS = ["title", "content", "published_at", "author", "image", "next_page"] as const;
const REQUIRED: ReadonlySet<string> = new Set(["title", "content", "published_at"]);

/**
 * Returns the selectors of a profile, in the order of its fields. Those of former designs need not match: today's pages
 * have another.
 */
function namedSelectors({ list_pages, article, article_versions }: Profile): NamedSelector[] {
  return [
    ...list_pages.flatMap(({ link_selector, next }, i) => [
      { field: `list_pages.${i}.link_selector`, selector: link_selector, on: "list" as const, required: true },
      ...(next === undefined
        ? []
        : [{ field: `list_pages.${i}.next`, selector: next, on: "list" as const, required: false }]),
    ]),
    ...(article === undefined ? [] : partsOf("article", article)),
    ...article_versions.flatMap((version, i) =>
      partsOf(`article_versions.${i}`, version).map((named) => ({ ...named, required: false })),
    ),
  ];
}

function partsOf(
  field: string,
  parts: Omit<ArticleParts, "next_page" | "max_pages"> & { next_page?: string | undefined },
) {
  const single = PARTS.flatMap((part): NamedSelector[] => {
    const selector = parts[part];
    if (selector === undefined) return [];
    return [{ field: `${field}.${part}`, selector, on: "article", required: REQUIRED.has(part) }];
  });
  const removed = parts.remove.map(
    (selector, i): NamedSelector => ({ field: `${field}.remove.${i}`, selector, on: "article", required: false }),
  );
  return [...single, ...removed];
}

/** Holds what checking a profile came to. */
export interface ProfileCheck {
  readonly listings: readonly ListingCheck[];
  readonly pages: readonly PageCheck[];
  readonly selectors: readonly SelectorCheck[];
  /** Holds what is wrong, one line each; with none the profile holds. */
  readonly problems: readonly string[];
}

/** Holds what a feed, sitemap or list page gave. */
interface ListingCheck {
  readonly kind: "feed" | "sitemap" | "list";
  readonly url: string;
  readonly entries: number;
  /** Entries that `keep` and `block` let through. */
  readonly kept: number;
  /** The latest time that it gives, ISO 8601 UTC. */
  readonly latest: string | null;
}

interface PageCheck {
  /** The file or address. */
  readonly from: string;
  readonly kind: PageKind;
  readonly title: string;
  readonly words: number;
  readonly quality: number;
  readonly publishedAt: string | null;
  readonly authors: readonly string[];
}

interface SelectorCheck extends NamedSelector {
  /** Elements on each page, in the order of the pages that it is for. */
  readonly counts: readonly number[];
  /** The text of the first match; empty where nothing matches. */
  readonly first: string;
}

/** A page to check on, saved or fetched. */
export interface CheckedPage {
  readonly from: string;
  readonly html: string;
  /** Empty for a file whose address is not known. */
  readonly url: string;
}

/** Says where the pages come from. */
interface CheckOptions {
  /** Saved or named pages; with any of them nothing else is fetched. */
  readonly articles: readonly CheckedPage[];
  readonly lists: readonly CheckedPage[];
  /** Articles that are fetched where no page is given. */
  readonly liveArticles: number;
  readonly signal: AbortSignal;
}

type Parts = Pick<CrawlParts, "clientFor" | "credentials"> & {
  readonly reader: Pick<ReaderPool, "extract" | "feed" | "inspect" | "list" | "sitemap">;
};

/**
 * Checks a profile on pages: what each of its selectors matches, and what is extracted with them. Without pages its
 * listings are read and some of their articles fetched, as in a run. Rejects only when the signal aborts or the reader
 * is closed.
 */
export async function checkProfile(parts: Parts, profile: Profile, options: CheckOptions): Promise<ProfileCheck> {
  const problems: string[] = [];
  const isLive = options.articles.length + options.lists.length === 0;
  const live = isLive ? await readLive(parts, profile, options, problems) : { listings: [], lists: [], articles: [] };
  const named = namedSelectors(profile);
  const lists = [...options.lists, ...live.lists];
  const articles = [...options.articles, ...live.articles];
  const pages: PageCheck[] = [];
  const selectors: SelectorCheck[] = named.map((selector) => ({ ...selector, counts: [], first: "" }));
  const count = async (page: CheckedPage, on: NamedSelector["on"]) => {
    const own = selectors.flatMap((selector, i) => (selector.on === on ? [{ selector, i }] : []));
    const tried = own.map(({ selector }) => selector.selector);
    const { matches } = await parts.reader.inspect({ html: page.html, url: page.url, selectors: tried });
    for (const [nth, { selector, i }] of own.entries()) {
      const match = matches[nth];
      if (match === undefined) continue;
      selectors[i] = { ...selector, counts: [...selector.counts, match.count], first: selector.first || match.first };
    }
  };
  for (const page of lists) await collect(problems, page.from, options.signal, () => count(page, "list"));
  for (const page of articles) {
    await collect(problems, page.from, options.signal, async () => {
      await count(page, "article");
      pages.push(await extract(parts, profile, page));
    });
  }
  for (const { from, kind } of pages)
    if (kind !== "article") problems.push(`${from}: read as ${kind}, not as an article`);
  for (const { field, selector, required, counts } of selectors) {
    if (required && counts.length > 0 && !counts.some((each) => each > 0)) {
      problems.push(`${field}: ${JSON.stringify(selector)} matches nothing on any page`);
    }
  }
  if (isLive && articles.length === 0) problems.push("no article could be fetched");
  return { listings: live.listings, pages, selectors, problems };
}

async function readLive(parts: Parts, profile: Profile, { signal, liveArticles }: CheckOptions, problems: string[]) {
  const passes = createUrlFilter(profile);
  const listings: ListingCheck[] = [];
  const byListing: (readonly DiscoveredEntry[])[] = [];
  const lists: CheckedPage[] = [];
  for (const listing of listingsOf(profile)) {
    await collect(problems, listing.url, signal, async () => {
      const read = await readListing(parts, profile, listing, {
        validators: async () => undefined,
        since: new Date(0).toISOString(),
        signal,
        maxTurnMs: MAX_TURN_MS,
      });
      problems.push(...read.problems);
      const all = read.entries ?? [];
      const kept = all.filter(({ url }) => passes(url));
      const latest = all
        .map(({ publishedAt, updatedAt }) => publishedAt ?? updatedAt ?? "")
        .toSorted()
        .at(-1);
      const { kind, url } = listing;
      listings.push({ kind, url, entries: all.length, kept: kept.length, latest: latest || null });
      if (all.length === 0) problems.push(`${url}: names no article`);
      else if (kept.length === 0)
        problems.push(`${url}: keep and block let none of its ${all.length} articles through`);
      byListing.push(kept.slice(0, liveArticles));
      if (kind === "list") lists.push(await fetchPage(parts, profile, url, signal));
    });
  }
  const articles: CheckedPage[] = [];
  // The first of each listing, then the second of each.
  const turns = Array.from({ length: liveArticles }, (_, i) => byListing.flatMap((entries) => entries[i]?.url ?? []));
  const addresses = new Set(turns.flat());
  for (const url of [...addresses].slice(0, liveArticles)) {
    await collect(problems, url, signal, async () => {
      articles.push(await fetchPage(parts, profile, url, signal));
    });
  }
  return { listings, lists, articles };
}

const MAX_TURN_MS = 120_000;

/** Fetches a page as a run does. Throws EgressError and {@link PageError}. */
export async function fetchPage(
  parts: Pick<CrawlParts, "clientFor" | "credentials">,
  profile: Profile,
  url: string,
  signal: AbortSignal,
): Promise<CheckedPage> {
  const answer = await fetchFor(parts, profile, { url, signal, maxTurnMs: MAX_TURN_MS });
  if (!answer.ok) throw new PageError(`answered ${answer.status}`);
  return { from: url, html: answer.text().text, url: answer.url };
}

/** A page was answered, but not with a page. */
export class PageError extends Error {
  override name = "PageError";
}

async function extract({ reader }: Parts, profile: Profile, { from, html, url }: CheckedPage): Promise<PageCheck> {
  const { kind, title, content, quality, publishedAt, authors } = await reader.extract({
    html,
    url,
    ...pageHints(profile),
  });
  const words = content === "" ? 0 : content.split(/\s+/).length;
  return { from, kind, title, words, quality, publishedAt, authors };
}

/** Does a piece of the check; what a site or page does wrong becomes a problem. */
async function collect(
  problems: string[],
  from: string,
  signal: AbortSignal,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ReaderError && error.code === "closed") throw error;
    const isTheirs = [EgressError, ReaderError, ListingError, PageError].some((kind) => error instanceof kind);
    if (!isTheirs || !(error instanceof Error)) throw error;
    problems.push(error.message.includes(from) ? error.message : `${from}: ${error.message}`);
  }
}

const Expected = z.strictObject({
  title: z.string(),
  published_at: z.string().nullable(),
  authors: z.array(z.string()),
  content: z.string(),
});

const Case = z.strictObject({
  /** The address that the page came from. */
  url: z.string(),
  /** Says when its feed says that it was published; picks the design whose selectors come first. */
  listed_at: z.string().optional(),
  expected: Expected,
});

/** Holds what has to come out of a saved page. */
type ExpectedArticle = z.output<typeof Expected>;

/** A saved page of a source and what has to come out of it, so that a change of its profile cannot break it unseen. */
interface Fixture extends z.output<typeof Case> {
  readonly name: string;
  readonly html: string;
}

/** A field of a fixture that came out otherwise. */
export interface FixtureDifference {
  readonly fixture: string;
  readonly field: keyof ExpectedArticle;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** A fixture's files cannot be read; the message names the file. */
export class FixtureError extends Error {
  override name = "FixtureError";
}

const MAX_PAGE_BYTES = 20_000_000;

/** Returns the folder of a profile's fixtures, beside the folder of profiles. */
export function fixtureDir(profilesDir: string, profile: string): string {
  return join(profilesDir, "fixtures", profile);
}

/**
 * Reads the fixtures of a folder, `NAME.html.gz` and `NAME.json` each, in the order of their names. Throws {@link
 * FixtureError}.
 */
export function readFixtures(dir: string): Fixture[] {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replace(/\.json$/, ""));
  return names.toSorted().map((name) => {
    try {
      const parsed = Case.parse(JSON.parse(readFileSync(join(dir, `${name}.json`), "utf8")));
      const bytes = gunzipSync(readFileSync(join(dir, `${name}.html.gz`)), { maxOutputLength: MAX_PAGE_BYTES });
      return { ...parsed, name, html: decodeText(bytes).text };
    } catch (cause) {
      throw new FixtureError(`${join(dir, name)} cannot be read as a fixture`, { cause });
    }
  });
}

/** Extracts a fixture's page with a profile, and says what came out otherwise. Throws ReaderError. */
export async function checkFixture(
  reader: Pick<ReaderPool, "extract">,
  profile: Profile,
  { name, html, url, listed_at, expected }: Fixture,
): Promise<FixtureDifference[]> {
  const actual = await extractExpected(reader, profile, { html, url, listed_at });
  const fields = ["title", "published_at", "authors", "content"] as const;
  return fields
    .filter((field) => JSON.stringify(actual[field]) !== JSON.stringify(expected[field]))
    .map((field) => ({ fixture: name, field, expected: expected[field], actual: actual[field] }));
}

/** Keeps a page, and what comes out of it today, as a fixture: to be read over before it counts. Throws ReaderError. */
export async function writeFixture(
  reader: Pick<ReaderPool, "extract">,
  profile: Profile,
  { dir, name, ...page }: { dir: string; name: string; html: string; url: string; listed_at?: string | undefined },
): Promise<ExpectedArticle> {
  const expected = await extractExpected(reader, profile, page);
  const { html, url, listed_at } = page;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${name}.html.gz`), gzipSync(html, { level: 9 }));
  const file = { url, ...(listed_at !== undefined && { listed_at }), expected };
  writeFileSync(join(dir, `${name}.json`), `${JSON.stringify(file, null, 2)}\n`);
  return expected;
}

async function extractExpected(
  reader: Pick<ReaderPool, "extract">,
  profile: Profile,
  { html, url, listed_at = null }: { html: string; url: string; listed_at?: string | null | undefined },
): Promise<ExpectedArticle> {
  const { title, publishedAt, authors, content } = await reader.extract({
    html,
    url,
    ...pageHints(profile, listed_at),
  });
  return { title, published_at: publishedAt, authors: [...authors], content };
}
