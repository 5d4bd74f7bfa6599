import { createHash } from "node:crypto";
import type { Discovery, JsonObject, RunFeed } from "@isnad/lib/store";
import { canonicalUrl } from "@isnad/lib/text";
import { type Listing, ListingError, type ListingKind, type ReadListing, readListing } from "./listing.ts";
import type { CrawlProfile } from "./types.ts";
import { createUrlFilter, type DiscoveredEntry, type UrlPatterns } from "../../lib/extraction/discovery/entries.ts";

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
