import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NormalizedItem, ScrapeResults } from "@isnad/lib/contract";
import { BoundedMap } from "@isnad/lib/std";
import type { Discovery, RunDetails, ScrapedItem, Validators } from "@isnad/lib/store";
import { analyse, queryWords } from "@isnad/lib/text";
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";
import { deliver } from "./deliver.ts";
import { ageCutoff, discoveriesOf, feedOf, listingsOf, readOrProblem } from "./discover.ts";
import { createCategorizer } from "./make-item.ts";
import { RunReport } from "./run-report.ts";
import type { CrawlParts, CrawlProfile, DeliveryCounts, ScrapeAnswer, ScrapeRequest } from "./types.ts";
import { createHostOutages, runConcurrently } from "./visit-all.ts";
import { visitArticle, type VisitContext } from "./visit.ts";

/**
 * A filter by keywords: a text passes when it has every word of the query, in whatever form. Words are compared as
 * searches compare them: Arabic letters folded, without clitics, by stem. A query without a word lets everything pass.
 */
export function keywordFilter(query: string): (title: string, content: string) => boolean {
  const required = queryWords(query).map(({ terms }) => terms.stems);
  if (required.length === 0) return () => true;
  return (title, content) => {
    const stems = new Set(analyse(`${title}\n${content}`).flatMap(({ terms }) => terms.stems));
    return required.every((forms) => forms.every((stem) => stems.has(stem)));
  };
}

/** Returns a kept article as the scraper hands it out. */
function toNormalized(item: ScrapedItem): NormalizedItem {
  return {
    id: item.id,
    title: item.title,
    content: item.content,
    url: item.url,
    published_at: item.publishedAt,
    source: item.sourceId,
    category: item.category ?? item.categoryLabel ?? "",
    language: item.language ?? "",
    canonical_url: item.canonicalUrl ?? item.url,
    authors: item.authors,
    images: item.images,
    provider: item.provider,
  };
}

const SETTLE_MS = 50;

/**
 * Appends objects as whole lines of JSON to the day's file in a folder, which is made when it is missing. All lines go
 * out in one write to a file opened for appending, so that lines of processes that write at once do not mix. A line
 * that a killed process left unfinished is closed first. Returns the file's name within the folder.
 */
export async function appendLines(folder: string, values: readonly object[], now: number): Promise<string> {
  const name = `scrape-${new Date(now).toISOString().slice(0, 10)}.jsonl`;
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, name), "a+", 0o640);
  try {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    if (lines === "") return name;
    const bytes = Buffer.from((await isTorn(file)) ? `\n${lines}` : lines);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    return name;
  } finally {
    await file.close();
  }
}

type File = Awaited<ReturnType<typeof open>>;

/** Tells whether the file ends within a line and nobody is writing it. */
async function isTorn(file: File): Promise<boolean> {
  const before = await endOf(file);
  if (before.closed) return false;
  await sleep(SETTLE_MS);
  const after = await endOf(file);
  return !after.closed && after.size === before.size;
}

async function endOf(file: File): Promise<{ size: number; closed: boolean }> {
  const { size } = await file.stat();
  if (size === 0) return { size, closed: true };
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return { size, closed: last[0] === 0x0a };
}

const DEFAULT_LIMIT = 200;
/** Sources that are scraped at once. */
const SOURCES_AT_ONCE = 4;

/**
 * Scrapes sources on demand and hands the articles out, or writes them to disk; sends them to the platform when that is
 * asked for, and what cannot be sent now is sent later. One source that fails does not fail the rest. Rejects when the
 * database fails or the signal aborts.
 */
export async function scrape(
  parts: CrawlParts,
  memory: ListingMemory,
  { profiles, request }: { profiles: readonly CrawlProfile[]; request: ScrapeRequest },
  { signal, requestId }: { readonly signal: AbortSignal; readonly requestId?: string },
): Promise<ScrapeAnswer> {
  const start = performance.now();
  const answers = new Map<string, SourceAnswer>();
  const queue = profiles.values();
  const filter = filterOf(request);
  await runConcurrently(Math.min(SOURCES_AT_ONCE, profiles.length), async () => {
    const { value: profile } = queue.next();
    if (profile === undefined) return false;
    const limit = request.limit ?? profile.limits?.max_articles ?? DEFAULT_LIMIT;
    const answer = await scrapeSource(parts, memory, profile, { ...filter, limit, deliver: request.sendToApi, signal });
    answers.set(profile.name, answer);
    return true;
  });
  const inOrder = profiles.flatMap(({ name }) => answers.get(name) ?? []);
  const items = inOrder.flatMap((answer) => answer.items.map(toNormalized));
  const delivery = request.sendToApi ? await deliverAll(parts, profiles, { signal, requestId }) : undefined;
  const written = request.writeToDisk ? await appendLines(parts.outputDir, items, parts.now()) : undefined;
  const errors = Object.fromEntries(
    [...answers].flatMap(([name, { problems }]) => (problems.length === 0 ? [] : [[name, problems.join("; ")]])),
  );
  const at = new Date(parts.now()).toISOString();
  const metadata = {
    total_articles: items.length,
    sources_processed: profiles.map(({ name }) => name),
    processing_time_ms: Math.round(performance.now() - start),
    ...(Object.keys(errors).length > 0 && { errors }),
    ...(delivery !== undefined && { delivery }),
  };
  const details = { metadata, errors: [...answers].flatMap(([name, answer]) => errorsOf(name, answer, at)) };
  return written === undefined ? { results: items, ...details } : { file: written, lines: items.length, ...details };
}

function errorsOf(profile: string, { details: { feeds, errors } }: SourceAnswer, at: string): ScrapeResults["errors"] {
  return [
    ...feeds.flatMap(({ url, error }) => (error === null ? [] : [{ profile, url, reason: error, at }])),
    ...errors.map(({ url, reason, at }) => ({ profile, url, reason, at })),
  ];
}

function filterOf({ query = "", categories = [] }: ScrapeRequest) {
  const hasWords = keywordFilter(query);
  const names = new Set(categories.map((name) => name.trim().toLowerCase()));
  const isNamed = (category: string | null) => category !== null && names.has(category.toLowerCase());
  return {
    accepts: ({ title, content, category, categoryLabel }: ScrapedItem) =>
      (names.size === 0 || isNamed(category) || isNamed(categoryLabel)) && hasWords(title, content),
    mayAccept: (category: string | null) => names.size === 0 || category === null || isNamed(category),
  };
}

async function deliverAll(
  parts: CrawlParts,
  profiles: readonly CrawlProfile[],
  { signal, requestId }: { signal: AbortSignal; requestId?: string | undefined },
): Promise<Omit<DeliveryCounts, "error">> {
  const total = { accepted: 0, duplicate: 0, conflict: 0, failed: 0, pending: 0 };
  for (const { name } of profiles) {
    const { error, ...counts } = await deliver(parts, { signal, requestId, profileId: name });
    for (const [key, count] of Object.entries(counts)) if (isCount(key, total)) total[key] += count;
    // The others are sent when the API is back.
    if (error !== null) break;
  }
  return total;
}

function isCount<T extends object>(key: string, counts: T): key is Extract<keyof T, string> {
  return Object.hasOwn(counts, key);
}

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
interface SourceAnswer {
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
async function scrapeSource(
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
