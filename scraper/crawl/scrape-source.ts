import { BoundedMap } from "@isnad/lib/std";
import type { Discovery, RunDetails, ScrapedItem, Validators } from "@isnad/lib/store";
import { ageCutoff, discoveriesOf, feedOf, readOrProblem } from "./discover.ts";
import { listingsOf } from "./listing.ts";
import { createCategorizer } from "./make-item.ts";
import { RunReport } from "./run-report.ts";
import type { CrawlParts, CrawlProfile } from "./types.ts";
import { createHostOutages } from "./visit-all.ts";
import { visitArticle, type VisitContext } from "./visit.ts";
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";

/** Holds what is wanted of one source. */
interface SourceRequest {
  /** Most articles. */
  readonly limit: number;
  /** Tells whether an article is wanted. */
  readonly accepts: (item: ScrapedItem) => boolean;
  /** Tells whether an article may be wanted, by the canonical category that its listing alone gives it. */
  readonly mayAccept: (category: string | null) => boolean;
  /** True when the articles are to be sent to the platform. */
  readonly deliver: boolean;
  readonly signal: AbortSignal;
}

/** Holds what a source yielded, latest first, and what went wrong. */
export interface SourceAnswer {
  readonly items: readonly ScrapedItem[];
  readonly problems: readonly string[];
  /** Why single articles did not come, and what each listing answered. */
  readonly details: RunDetails;
}

/** The longest wait for a host's turn: somebody waits for the answer. */
const MAX_TURN_MS = 30_000;
/** Articles visited for each source, however few pass the filters. */
const MAX_VISITS = 200;

/**
 * Scrapes one source: its listings, then its articles, the latest first, until as many as wanted are there. They are
 * kept: to be sent, or for a replay only.
 */
export async function scrapeSource(
  parts: CrawlParts,
  memory: ListingMemory,
  profile: CrawlProfile,
  request: SourceRequest,
): Promise<SourceAnswer> {
  const { signal, limit } = request;
  const report = new RunReport(parts.now);
  const categorize = createCategorizer(profile, parts.taxonomy);
  const { candidates, problems } = await candidatesOf(parts, memory, profile, { report, signal });
  const queue = candidates
    .filter(({ category }) => category === null || request.mayAccept(categorize([category]).canonical))
    .slice(0, Math.max(MAX_VISITS, limit))
    .values();
  const context: VisitContext = { parts, profile, signal, categorize, report, maxTurnMs: MAX_TURN_MS };
  const items = new Map<string, ScrapedItem>();
  const outages = createHostOutages(context);
  const next = (count: number): Discovery[] => {
    const rows: Discovery[] = [];
    for (let row = queue.next(); !row.done; row = queue.next()) {
      if (!outages.isDown(row.value.url)) rows.push(row.value);
      if (rows.length === count) break;
    }
    return rows;
  };
  // As many at once as are still wanted, and no more: no page is fetched for nothing, and the latest articles win.
  while (items.size < limit) {
    signal.throwIfAborted();
    const rows = next(Math.min(profile.politeness?.concurrency ?? 1, limit - items.size));
    if (rows.length === 0) break;
    const visits = await Promise.all(
      rows.map(async (row) => ({ row, visit: await visitArticle(context, { row, lastTry: true }) })),
    );
    for (const { row, visit } of visits) {
      await outages.record(row.url, visit.kind === "none" ? visit.why : null);
      if (visit.kind === "none") {
        report.error(row.url, visit.why.reason);
        if (visit.why.gone && request.deliver) await parts.store.items.markGone(profile.name, row.url);
        continue;
      }
      const { item, contentHash } = visit.kind === "item" ? visit : visit.stored;
      if (items.has(item.id) || !request.accepts(item)) continue;
      items.set(item.id, item);
      await keep(row, item, contentHash);
      if (visit.kind === "item" && visit.validators !== null) {
        await parts.store.validators.put(profile.name, row.url, visit.validators);
      }
    }
  }
  problems.push(...outages.problems());
  return { items: [...items.values()], problems, details: report.details() };

  async function keep(row: Discovery, item: ScrapedItem, contentHash: string): Promise<void> {
    // Of an article that is sent now, a later run need not visit the page again.
    if (request.deliver) await parts.store.frontier.discover(null, profile.name, [row]);
    const { deliver } = request;
    await parts.store.items.keep({ profileId: profile.name, runId: null, url: row.url, item, contentHash, deliver });
  }
}

async function candidatesOf(
  parts: CrawlParts,
  memory: ListingMemory,
  profile: CrawlProfile,
  { report, signal }: { report: RunReport; signal: AbortSignal },
): Promise<{ candidates: Discovery[]; problems: string[] }> {
  const since = ageCutoff(profile, parts.now());
  const byUrl = new Map<string, { discovery: Discovery; time: string }>();
  const problems: string[] = [];
  for (const listing of listingsOf(profile)) {
    const before = memory.get(profile.name, listing.url);
    const earlier = async (url: string) => (listing.kind === "sitemap" ? undefined : before?.validators.get(url));
    const answer = await readOrProblem(parts, profile, listing, {
      validators: earlier,
      since,
      signal,
      maxTurnMs: MAX_TURN_MS,
    });
    problems.push(...answer.problems);
    const entries = answer.listing === null ? [] : (answer.listing.entries ?? before?.entries ?? []);
    const { discoveries, tooOld } = discoveriesOf(entries, listing, { ...profile, since });
    report.feed(feedOf(listing, answer, tooOld));
    if (answer.listing === null) continue;
    if (answer.listing.entries !== null) {
      const validators = new Map(answer.listing.validators.map(({ url, ...rest }) => [url, rest]));
      memory.put(profile.name, listing.url, { entries, validators });
    }
    for (const discovery of discoveries) {
      const { publishedAt, updatedAt } = discovery.entry;
      const time = String(publishedAt ?? updatedAt ?? "");
      if (!byUrl.has(discovery.url)) byUrl.set(discovery.url, { discovery, time });
    }
  }
  const latestFirst = [...byUrl.values()].toSorted((a, b) => b.time.localeCompare(a.time));
  return { candidates: latestFirst.map(({ discovery }) => discovery), problems };
}

/** Holds what a listing named when it was read last, and what its files said of themselves. */
interface RememberedListing {
  readonly entries: readonly DiscoveredEntry[];
  readonly validators: ReadonlyMap<string, Validators>;
}

const MAX_CHARS = 16_000_000;

/**
 * Remembers what listings named, so that one that has not changed since need not be sent again and still yields its
 * articles. Kept in memory, the listings read last, up to `maxChars` of their texts: the validators in the database say
 * which entries the frontier has, not what an answer 304 stands for.
 */
export class ListingMemory {
  readonly #listings: BoundedMap<string, RememberedListing>;

  constructor({ maxChars = MAX_CHARS }: { maxChars?: number } = {}) {
    this.#listings = new BoundedMap(maxChars, { weigh: charsOf });
  }

  get(profile: string, url: string): RememberedListing | undefined {
    return this.#listings.get(keyOf(profile, url));
  }

  put(profile: string, url: string, listing: RememberedListing): void {
    this.#listings.set(keyOf(profile, url), listing);
  }
}

/** Holds what an entry takes besides its texts, about. */
const ENTRY_CHARS = 500;

function charsOf({ entries }: RememberedListing): number {
  return entries.reduce((sum, { content, summary }) => sum + ENTRY_CHARS + content.length + summary.length, 0);
}

function keyOf(profile: string, url: string): string {
  return `${profile} ${url}`;
}
