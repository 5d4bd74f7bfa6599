import type { Discovery, ScrapedItem } from "@isnad/lib/store";
import { createCategorizer } from "./category.ts";
import { discoveriesOf, oldestWanted, readOrProblem } from "./discover.ts";
import type { ListingMemory } from "./listing-memory.ts";
import { listingsOf } from "./listing.ts";
import { type LookContext, lookAt } from "./look.ts";
import type { CrawlParts } from "./parts.ts";
import type { CrawlProfile } from "./types.ts";

/** What is wanted of one source. */
export interface SourceRequest {
  /** Most articles. */
  readonly limit: number;
  /** Whether an article is wanted. */
  readonly accepts: (item: ScrapedItem) => boolean;
  /** Whether an article may be wanted, by the canonical category that its listing alone gives it. */
  readonly mayAccept: (category: string | null) => boolean;
  /** Whether the articles are to be sent to the platform. */
  readonly deliver: boolean;
  readonly signal: AbortSignal;
}

/** What a source yielded, latest first, and what went wrong. */
export interface SourceAnswer {
  readonly items: readonly ScrapedItem[];
  readonly problems: readonly string[];
}

/** The longest wait for a host's turn: somebody waits for the answer. */
const MAX_TURN_MS = 30_000;
/** Articles that are looked at for each one that is wanted. */
const MAX_LOOKS = 200;
/** So many articles in a row that cannot be had because their host is out of reach end it. */
const GIVE_UP_AFTER = 5;

/**
 * Scrapes one source: its listings, then its articles, the latest first, until as many are found as wanted. What is found is kept:
 * to be sent, or for a replay only.
 */
export async function scrapeSource(
  parts: CrawlParts,
  memory: ListingMemory,
  profile: CrawlProfile,
  request: SourceRequest,
): Promise<SourceAnswer> {
  const { signal, limit } = request;
  const categorize = createCategorizer(profile, parts.taxonomy);
  const { candidates, problems } = await candidatesOf(parts, memory, profile, signal);
  const queue = candidates
    .filter(({ category }) => category === null || request.mayAccept(categorize([category]).canonical))
    .slice(0, Math.max(MAX_LOOKS, limit))
    .values();
  const context: LookContext = { parts, profile, signal, categorize, maxTurnMs: MAX_TURN_MS };
  const found = new Map<string, ScrapedItem>();
  let down: string[] = [];
  // As many at once as are still wanted, and no more: no page is fetched for nothing, and the latest articles win.
  while (found.size < limit && down.length < GIVE_UP_AFTER) {
    signal.throwIfAborted();
    const rows = [...queue.take(Math.min(profile.politeness?.concurrency ?? 1, limit - found.size))];
    if (rows.length === 0) break;
    const looks = await Promise.all(
      rows.map(async (row) => ({ row, look: await lookAt(context, { row, lastTry: true }) })),
    );
    for (const { row, look } of looks) {
      down = look.kind === "none" && look.why.hostDown ? [...down, look.why.reason] : [];
      if (look.kind === "none") continue;
      const { item, contentHash } = look.kind === "item" ? look : look.known;
      if (found.has(item.id) || !request.accepts(item)) continue;
      found.set(item.id, item);
      await keep(row, item, contentHash);
      if (look.kind === "item" && look.seen !== null) {
        await parts.store.validators.put(profile.name, row.url, look.seen);
      }
    }
  }
  if (down.length >= GIVE_UP_AFTER) problems.push(`the source is out of reach (${down.at(-1)})`);
  return { items: [...found.values()], problems };

  async function keep(row: Discovery, item: ScrapedItem, contentHash: string): Promise<void> {
    // Of an article that is sent now, a later run need not look at the page again.
    if (request.deliver) await parts.store.frontier.discover(null, profile.name, [row]);
    const { deliver } = request;
    await parts.store.items.keep({ profileId: profile.name, runId: null, url: row.url, item, contentHash, deliver });
  }
}

async function candidatesOf(
  parts: CrawlParts,
  memory: ListingMemory,
  profile: CrawlProfile,
  signal: AbortSignal,
): Promise<{ candidates: Discovery[]; problems: string[] }> {
  const since = oldestWanted(profile, parts.now());
  const byUrl = new Map<string, { discovery: Discovery; time: string }>();
  const problems: string[] = [];
  for (const listing of listingsOf(profile)) {
    const before = memory.get(profile.name, listing.url);
    const seen = async (url: string) => (listing.kind === "sitemap" ? undefined : before?.seen.get(url));
    const answer = await readOrProblem(parts, profile, listing, { seen, since, signal, maxTurnMs: MAX_TURN_MS });
    problems.push(...answer.problems);
    if (answer.listing === null) continue;
    const entries = answer.listing.entries ?? before?.entries ?? [];
    if (answer.listing.entries !== null) {
      const validators = new Map(answer.listing.seen.map(({ url, ...rest }) => [url, rest]));
      memory.put(profile.name, listing.url, { entries, seen: validators });
    }
    for (const discovery of discoveriesOf(entries, listing, since)) {
      const { publishedAt, updatedAt } = discovery.entry;
      const time = String(publishedAt ?? updatedAt ?? "");
      if (!byUrl.has(discovery.url)) byUrl.set(discovery.url, { discovery, time });
    }
  }
  const latestFirst = [...byUrl.values()].toSorted((a, b) => b.time.localeCompare(a.time));
  return { candidates: latestFirst.map(({ discovery }) => discovery), problems };
}
