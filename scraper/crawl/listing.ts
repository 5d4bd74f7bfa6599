import type { Validators } from "@isnad/lib/store";
import { EgressError, type EgressResponse, readValidators } from "@isnad/lib/web/egress";
import { FEED_TYPES } from "@isnad/lib/web/feeds";
import { ReaderError } from "../../lib/extraction/reader/pool.ts";
import { fetchFor } from "./fetch.ts";
import type { CrawlParts, CrawlProfile, DiscoveryPage, ListPage } from "./types.ts";
import {
  type DiscoveredEntry,
  entriesOfFeed,
  entriesOfLinks,
  entriesOfSitemap,
} from "../../lib/extraction/discovery/entries.ts";
import { gatherSitemaps, type Sitemap } from "../../lib/extraction/discovery/sitemap.ts";
import type { ListedLink } from "../../lib/extraction/discovery/inspect-page.ts";

/** Says where an entry was found: a list page says nothing of an article's version. */
export type ListingKind = "feed" | "sitemap" | "list";

/** A feed, sitemap or list page of a profile. */
export interface Listing {
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
export interface ReadListing {
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
