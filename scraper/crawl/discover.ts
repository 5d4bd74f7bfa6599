import { createHash } from "node:crypto";
import type { Discovery, JsonObject, RunFeed, Validators } from "@isnad/lib/store";
import { canonicalUrl } from "@isnad/lib/text";
import type { CrawlParts, CrawlProfile, DiscoveryPage, ListPage } from "./types.ts";
import {
  createUrlFilter,
  type DiscoveredEntry,
  entriesOfFeed,
  entriesOfLinks,
  entriesOfSitemap,
  type UrlPatterns,
} from "../../lib/extraction/discovery/entries.ts";
import { EgressError, type EgressResponse, readValidators } from "@isnad/lib/web/egress";
import { FEED_TYPES } from "@isnad/lib/web/feeds";
import { ReaderError } from "../../lib/extraction/reader/pool.ts";
import { fetchFor } from "./fetch.ts";
import { gatherSitemaps, type Sitemap } from "../../lib/extraction/discovery/sitemap.ts";
import type { ListedLink } from "../../lib/extraction/discovery/inspect-page.ts";

/** Says where an entry was found: a list page says nothing of an article's version. */
type ListingKind = "feed" | "sitemap" | "list";

/** A feed, sitemap or list page of a profile. */
interface Listing {
  readonly kind: ListingKind;
  readonly url: string;
  readonly category: string | null;
  /** CSS selector of the links of a list page. */
  readonly selector: string;
  /** CSS selector of the link to its next page; undefined: `rel=next`. */
  readonly next: string | undefined;
  /** Most pages of it that are read. */
  readonly maxPages: number;
}

/** Holds what a listing names; `entries` are null when it has not changed since it was read last. */
interface ReadListing {
  readonly entries: readonly DiscoveredEntry[] | null;
  /** Holds what each of its files says of itself now. To be kept with the entries or after them, never before. */
  readonly validators: readonly ({ readonly url: string } & Validators)[];
  /** Holds what went wrong with some of its files. */
  readonly problems: readonly string[];
}

/** A listing could not be read; the message is one line and names it. */
export class ListingError extends Error {
  override name = "ListingError";
}

const ACCEPT = {
  feed: FEED_TYPES,
  sitemap: "application/xml, text/xml;q=0.9, application/gzip;q=0.9, */*;q=0.5",
  list: "text/html, application/xhtml+xml, */*;q=0.5",
} as const;

/** Returns the listings of a profile: feeds, then sitemaps, then list pages. */
export function listingsOf(profile: CrawlProfile): Listing[] {
  const listing = (kind: ListingKind) => (page: DiscoveryPage & Partial<ListPage>) => ({
    kind,
    url: page.url,
    category: page.category ?? null,
    selector: page.link_selector ?? "",
    next: page.next,
    maxPages: page.max_pages ?? (page.next === undefined ? 1 : MAX_LIST_PAGES),
  });
  return [
    ...(profile.feeds ?? []).map(listing("feed")),
    ...(profile.sitemaps ?? []).map(listing("sitemap")),
    ...(profile.list_pages ?? []).map(listing("list")),
  ];
}

interface ReadOptions {
  /** Returns what an address of the listing said of itself when it was read last. */
  readonly validators: (url: string) => Promise<Validators | undefined>;
  /** Sitemap entries of before are passed over; ISO 8601. */
  readonly since: string;
  readonly signal: AbortSignal;
  /** The longest wait for a host's turn, in milliseconds. */
  readonly maxTurnMs: number;
  /** Called with the status of every answer. */
  readonly onAnswer?: (url: string, status: number) => void;
}

/** Fetches and reads a listing. Throws ListingError, and the signal's reason. */
export async function readListing(
  parts: Pick<CrawlParts, "clientFor" | "credentials" | "reader">,
  profile: CrawlProfile,
  listing: Listing,
  options: ReadOptions,
): Promise<ReadListing> {
  try {
    return listing.kind === "sitemap"
      ? await readSitemaps(parts, profile, listing, options)
      : await readOne(parts, profile, listing, options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw explained(listing.url, error);
  }
}

type Parts = Pick<CrawlParts, "clientFor" | "credentials" | "reader">;

async function readOne(
  parts: Parts,
  profile: CrawlProfile,
  listing: Listing,
  options: ReadOptions,
): Promise<ReadListing> {
  const file = await fetchFile(parts, profile, listing, listing.url, options);
  if (file === null) return { entries: null, validators: [], problems: [] };
  const { answer, validators } = file;
  const files = [{ url: listing.url, ...validators }];
  if (listing.kind === "list") {
    const { links, problems } = await readList(parts, profile, listing, {
      ...options,
      validators: async () => undefined,
      first: answer,
    });
    // Of a page whose links are gone no validators are kept, so that it is not taken for unchanged the next time.
    if (links.length === 0) {
      throw new ListingError(`${listing.url}: no link to the site matches ${listing.selector}`);
    }
    return { entries: entriesOfLinks(links), validators: files, problems };
  }
  const feed = await parts.reader.feed({ text: answer.text().text, url: answer.url, ...zoneOf(profile) });
  return { entries: entriesOfFeed(feed), validators: files, problems: [] };
}

/**
 * Reads a list from its first page on, until there is no next one, it adds nothing, or cannot be had: that is a problem
 * then.
 */
async function readList(
  parts: Parts,
  profile: CrawlProfile,
  listing: Listing,
  { first, ...options }: ReadOptions & { first: EgressResponse },
): Promise<{ links: readonly ListedLink[]; problems: readonly string[] }> {
  const links = new Map<string, ListedLink>();
  const visited = new Set([first.url]);
  for (let number = 1, url = listing.url; ; number++) {
    try {
      visited.add(url);
      const page = number === 1 ? first : (await fetchFile(parts, profile, listing, url, options))?.answer;
      if (page === undefined) break;
      const { selector } = listing;
      const next = listing.next === undefined ? {} : { next: listing.next };
      const list = await parts.reader.list({ html: page.text().text, url: page.url, selector, ...next });
      const before = links.size;
      for (const link of list.links) if (!links.has(link.url)) links.set(link.url, link);
      if (list.next === null || visited.has(list.next)) break;
      if (links.size === before || number >= listing.maxPages) break;
      url = list.next;
    } catch (error) {
      options.signal.throwIfAborted();
      if (number === 1) throw error;
      return { links: [...links.values()], problems: [explained(url, error).message] };
    }
  }
  return { links: [...links.values()], problems: [] };
}

/** Pages of a list that are read where the profile says how it goes on, but not how far. */
const MAX_LIST_PAGES = 5;

async function readSitemaps(
  parts: Parts,
  profile: CrawlProfile,
  listing: Listing,
  options: ReadOptions,
): Promise<ReadListing> {
  const files: ({ url: string } & Validators)[] = [];
  let whole = true;
  const read = async (url: string): Promise<Sitemap | null> => {
    const file = await fetchFile(parts, profile, listing, url, options);
    if (file === null) return null;
    const { answer, validators } = file;
    const { bytes, contentType } = answer;
    const type = contentType === undefined ? {} : { contentType };
    const sitemap = await parts.reader.sitemap({ bytes, url, ...type, ...zoneOf(profile) });
    // An index is asked for whole every time: that it has not changed would not say so of the files that it names.
    if (sitemap.kind === "pages") files.push({ url, ...validators });
    whole &&= !sitemap.truncated;
    return sitemap;
  };
  const { since, signal } = options;
  const { pages, problems } = await gatherSitemaps(listing.url, { read, since, signal, maxPages: MAX_PAGES });
  const own = problems.find(({ url }) => url === listing.url);
  if (own !== undefined) throw explained(own.url, own.error);
  const entries = entriesOfSitemap(pages).toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
  // What was cut off must not be hidden behind a 304.
  const isWhole = whole && pages.length < MAX_PAGES;
  return {
    entries,
    validators: isWhole ? files : [],
    problems: problems.map(({ url, error }) => explained(url, error).message),
  };
}

const MAX_PAGES = 5000;

function zoneOf({ timezone }: CrawlProfile): { zone?: string } {
  return timezone === undefined ? {} : { zone: timezone };
}

function timeOf({ publishedAt, updatedAt }: DiscoveredEntry): string {
  return publishedAt ?? updatedAt ?? "";
}

async function fetchFile(
  parts: Parts,
  profile: CrawlProfile,
  listing: Listing,
  url: string,
  { validators: earlier, signal, maxTurnMs, onAnswer }: ReadOptions,
) {
  const before = await earlier(url);
  const accept = ACCEPT[listing.kind];
  const answer = await fetchFor(parts, profile, { url, accept, validators: before, signal, maxTurnMs });
  onAnswer?.(url, answer.status);
  if (answer.notModified) return null;
  if (!answer.ok) throw new ListingError(`${url} answered ${answer.status}`);
  const { validators, changed } = readValidators(answer, before);
  return changed ? { answer, validators } : null;
}

function explained(url: string, error: unknown): ListingError {
  if (error instanceof ListingError) return error;
  if (error instanceof EgressError) return new ListingError(error.message, { cause: error });
  if (error instanceof ReaderError) return new ListingError(`${url}: ${error.message}`, { cause: error });
  throw error;
}

const MAX_TEXT = 250_000;

/**
 * Returns a discovered entry as the frontier keeps it, under its canonical address. Its stamp names what the listing
 * says of the article's version, by title and times. Undefined for an address that is none.
 */
export function toDiscovery(entry: DiscoveredEntry, kind: ListingKind, category: string | null): Discovery | undefined {
  const url = canonicalOrNull(entry.url);
  if (url === null) return undefined;
  const version = [entry.title, entry.updatedAt ?? entry.publishedAt ?? ""].join("\n");
  return {
    url,
    category,
    stamp: kind === "list" ? "" : createHash("sha256").update(version).digest("hex").slice(0, 16),
    entry: {
      ...entry,
      // The text of a link may be anything.
      title: kind === "list" ? "" : entry.title,
      categories: [...entry.categories],
      content: entry.content.slice(0, MAX_TEXT).toWellFormed(),
    },
  };
}

/** Reads an entry back; what is missing or of another type counts as unknown. */
export function fromDiscovery(url: string, entry: JsonObject): DiscoveredEntry {
  const text = (key: string): string => (typeof entry[key] === "string" ? entry[key] : "");
  const categories = Array.isArray(entry.categories) ? entry.categories : [];
  return {
    url: text("url") || url,
    title: text("title"),
    publishedAt: text("publishedAt") || null,
    updatedAt: text("updatedAt") || null,
    author: text("author"),
    categories: categories.filter((name) => typeof name === "string"),
    summary: text("summary"),
    content: text("content"),
    image: text("image") || null,
  };
}

/** Returns the canonical form of an address, null for what is none. */
export function canonicalOrNull(address: string): string | null {
  try {
    return canonicalUrl(address);
  } catch {
    return null;
  }
}

/** The outcome of reading the listings of a profile. */
export interface DiscoverOutcome {
  /** Articles added to the frontier: new ones, and ones that changed according to the listing. */
  readonly discovered: number;
  /** Listings that were read, unchanged ones included. */
  readonly read: number;
  /** Holds what went wrong, one line a listing or file of one. */
  readonly problems: readonly string[];
}

const DAY_MS = 86_400_000;

/** Reads a listing; its errors are returned as problems. Rejects with the signal's reason. */
export async function readOrProblem(
  ...[parts, profile, listing, options]: Parameters<typeof readListing>
): Promise<{ listing: ReadListing | null; problems: readonly string[]; status: number | null }> {
  let status: number | null = null;
  const onAnswer = (url: string, code: number) => {
    if (url === listing.url) status = code;
  };
  try {
    const read = await readListing(parts, profile, listing, { ...options, onAnswer });
    return { listing: read, problems: read.problems, status };
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    return { listing: null, problems: [error.message], status };
  }
}

/** Returns what a listing answered, for the run's report. */
export function feedOf(
  { url, kind }: Pick<Listing, "url" | "kind">,
  { listing, problems, status }: Awaited<ReturnType<typeof readOrProblem>>,
  tooOld: number,
): RunFeed {
  const error = problems.length === 0 ? null : problems.join("; ");
  return { url, kind, status, entries: listing?.entries?.length ?? null, tooOld, error };
}

/**
 * Returns the entries of a listing that the profile's patterns let through, as the frontier keeps them, each address
 * once; those that are too old are only counted.
 */
export function discoveriesOf(
  entries: readonly DiscoveredEntry[],
  { kind, category }: Pick<Listing, "category" | "kind">,
  { since, keep, block }: UrlPatterns & { since: string },
): { discoveries: Discovery[]; tooOld: number } {
  const passes = createUrlFilter({ keep, block });
  const byUrl = new Map<string, Discovery>();
  let tooOld = 0;
  for (const entry of entries) {
    if (!passes(entry.url)) continue;
    // What a sitemap says has not changed since is at least as old; it names whole archives, which nobody fetches.
    const time = entry.publishedAt ?? (kind === "sitemap" ? entry.updatedAt : null);
    if (time !== null && Date.parse(time) < Date.parse(since)) {
      tooOld++;
      continue;
    }
    const discovery = toDiscovery(entry, kind, category);
    if (discovery !== undefined && !byUrl.has(discovery.url)) byUrl.set(discovery.url, discovery);
  }
  return { discoveries: [...byUrl.values()], tooOld };
}

/** Articles of a profile from before this time are skipped, ISO 8601. */
export function ageCutoff({ limits }: CrawlProfile, now: number): string {
  const maxAge = limits?.max_age_days;
  return new Date(maxAge === undefined ? 0 : Math.max(0, now - maxAge * DAY_MS)).toISOString();
}
