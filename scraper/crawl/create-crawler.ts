import { createIngestClient, type Endpoint, type IngestClient } from "@isnad/lib/ingest/client";
import { type Config, loadTaxonomy } from "@isnad/lib/service/config";
import type { ThreadsLogger } from "@isnad/lib/service/threads";
import { BoundedMap } from "@isnad/lib/std";
import { NO_COUNTS, NO_DETAILS } from "@isnad/lib/store";
import {
  createFetcher,
  createPoliteClient,
  type Fetcher,
  type LeaseStore,
  type PoliteClient,
} from "@isnad/lib/web/egress";
import { ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { initProfile } from "../profiles/init/init-profile.ts";
import { createPush, deliver, replay } from "./deliver.ts";
import { ageCutoff, discoveriesOf, type DiscoverOutcome, feedOf, listingsOf, readOrProblem } from "./discover.ts";
import { createCategorizer } from "./make-item.ts";
import { RunReport, selectorWarnings } from "./run-report.ts";
import { ListingMemory, scrape } from "./scrape.ts";
import type {
  CrawlContext,
  CrawlCounts,
  Crawler,
  CrawlParts,
  CrawlProfile,
  CrawlRun,
  RunOutcome,
  ScraperStore,
} from "./types.ts";
import { reopenNewest, visitAll } from "./visit-all.ts";

interface DiscoverOptions {
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Longest wait for the rate limit of a host, in milliseconds. */
  readonly maxTurnMs: number;
  /** Records what each listing answered. */
  readonly report: Pick<RunReport, "feed">;
}

/**
 * Reads the listings of a profile with conditional requests and adds their articles to the frontier. If several
 * listings name an article, the first one counts. A listing that fails is recorded as a problem; the others are read.
 */
async function discoverAll(
  parts: CrawlParts,
  profile: CrawlProfile,
  { runId, signal, maxTurnMs, report }: DiscoverOptions,
): Promise<DiscoverOutcome> {
  const { frontier, validators } = parts.store;
  const since = ageCutoff(profile, parts.now());
  const listedUrls = new Set<string>();
  const problems: string[] = [];
  let discovered = 0;
  let read = 0;
  for (const listing of listingsOf(profile)) {
    const answer = await readOrProblem(parts, profile, listing, {
      validators: (url) => validators.get(profile.name, url),
      since,
      signal,
      maxTurnMs,
    });
    problems.push(...answer.problems);
    const { discoveries, tooOld } = discoveriesOf(answer.listing?.entries ?? [], listing, { ...profile, since });
    report.feed(feedOf(listing, answer, tooOld));
    if (answer.listing === null) continue;
    read++;
    const unlisted = discoveries.filter(({ url }) => !listedUrls.has(url));
    for (const { url } of unlisted) listedUrls.add(url);
    const [first, ...rest] = answer.listing.validators;
    const { fresh, changed } = await frontier.discover(runId, profile.name, unlisted, first);
    discovered += fresh + changed;
    for (const file of rest) await frontier.discover(runId, profile.name, [], file);
  }
  return { discovered, read, problems };
}

interface ClientOptions {
  readonly config: Pick<Config, "scraper">;
  /** Says whose turn it is at a host. */
  readonly leases: LeaseStore;
  /** Makes the outbound client of a user agent; tests bring their own. */
  readonly fetcherFor?: ((userAgent: string) => Fetcher) | undefined;
  /** Time limit of one request, redirects and body included, in milliseconds. Default: that of the configuration. */
  readonly timeoutMs?: number | undefined;
  /** Says how often a request is tried again after a passing failure. Default: as the client does it. */
  readonly retries?: number | undefined;
}

const MAX_CLIENTS = 100;

/**
 * Makes polite clients, one for each user agent, the scraper's own unless another is given; robots.txt knows a robot by
 * the first word of it.
 */
export function createClients({ config, leases, fetcherFor, ...options }: ClientOptions) {
  const { timeoutMs = config.scraper.fetchTimeoutMs, retries } = options;
  const { allowPrivateHosts, userAgent: usual, maxBodyBytes } = config.scraper;
  const repeat = retries === undefined ? {} : { retries };
  const clients = new BoundedMap<string, PoliteClient>(MAX_CLIENTS);
  return (userAgent = usual): PoliteClient => {
    const cached = clients.get(userAgent);
    if (cached !== undefined) return cached;
    const fetcher = fetcherFor?.(userAgent) ?? createFetcher({ userAgent, allowPrivateHosts });
    const polite = createPoliteClient({ fetcher, leases, product: productOf(userAgent) });
    const client: PoliteClient = (address, request) =>
      polite(address, { maxBytes: maxBodyBytes, timeoutMs, ...repeat, ...request });
    clients.set(userAgent, client);
    return client;
  };
}

/** Returns the name by which robots.txt knows who goes by a user agent. */
export function productOf(userAgent: string): string {
  return /^[^\s/]+/.exec(userAgent)?.[0] ?? userAgent;
}

/** Holds what a crawler is made of. */
export interface CrawlerOptions {
  readonly config: Pick<Config, "apiUrl" | "tokens" | "ingest" | "scraper" | "taxonomyFile">;
  readonly store: ScraperStore;
  /** Tells where the API is; asked before every request. Default: as the configuration says. */
  readonly endpoint?: () => Promise<Endpoint>;
  /** Says how long a delivery goes on trying before it leaves the rest for later, in milliseconds. Default 10,000. */
  readonly patienceMs?: number;
  /** Makes the outbound client of a user agent; tests bring their own. */
  readonly fetcherFor?: (userAgent: string) => Fetcher;
  /** Time limit of one request, redirects and body included, in milliseconds. Default: that of the configuration. */
  readonly timeoutMs?: number;
  /** Says how often a request that failed for the moment is repeated at once. Default: as the outbound client does. */
  readonly retries?: number;
  /** Default 900. */
  readonly fetchLeaseS?: number;
  /** Default 30: an item that is sent twice is a duplicate to the API, and no harm is done. */
  readonly sendLeaseS?: number;
  /** Default 2. */
  readonly restS?: number;
  /** Default 15,000. */
  readonly drainMs?: number;
  readonly logger?: ThreadsLogger;
}

/** Makes the crawler: everything between a profile and the ingest endpoint. Its threads start with the first page. */
export function createCrawler(options: CrawlerOptions): Crawler {
  const { config, store } = options;
  const reader = new ReaderPool({ workers: READER_THREADS, logger: options.logger });
  const parts: CrawlParts = {
    store,
    reader,
    clientFor: createClients({ ...options, leases: store.hostLeases }),
    credentials: config.scraper.credentials,
    ingest: ingestClientOf(options),
    taxonomy: loadTaxonomy(config.taxonomyFile),
    outputDir: config.scraper.outputDir,
    fetchLeaseS: options.fetchLeaseS ?? 900,
    sendLeaseS: options.sendLeaseS ?? 30,
    restS: options.restS ?? 2,
    drainMs: options.drainMs ?? 15_000,
    now: () => Date.now(),
  };
  const memory = new ListingMemory();
  return {
    crawl: (profile, run, context) => crawlRun(parts, profile, run, context),
    scrape: (profiles, request, context) => scrape(parts, memory, { profiles, request }, context),
    replay: (request, context) => replay(parts, request, context),
    draft: (request, signal) =>
      initProfile(
        { client: parts.clientFor(config.scraper.userAgent), product: productOf(config.scraper.userAgent), reader },
        { ...request, minDelayMs: DRAFT_DELAY_MS, taxonomy: parts.taxonomy, now: parts.now(), signal },
      ),
    deliverPending: (signal) => deliver(parts, { signal }),
    threads: () => reader.threads(),
    close: () => reader.close(),
  };
}

const READER_THREADS = 2;

/** Time between two requests of a draft, in milliseconds: somebody waits for it. */
const DRAFT_DELAY_MS = 300;

function ingestClientOf({ config, endpoint, patienceMs = 10_000 }: CrawlerOptions): IngestClient {
  const { maxBatch, maxBodyBytes } = config.ingest;
  return createIngestClient({
    endpoint: endpoint ?? (async () => ({ url: config.apiUrl, token: config.tokens.ingest[0] ?? "" })),
    patienceMs,
    // A little room for what lies between.
    limits: { maxItems: maxBatch, maxBytes: Math.floor(maxBodyBytes * 0.99) },
  });
}

/** Holds what a run came to. */
export interface RunFacts {
  readonly counts: CrawlCounts;
  readonly discovered: DiscoverOutcome;
  readonly visits: {
    readonly retried: number;
    readonly failed: number;
    readonly outages: readonly string[];
  };
  /** The run's items by state: those that the API refused, and those that wait for it. */
  readonly items: { readonly failed: number; readonly pending: number };
  readonly pushError: string | null;
  /** Selectors that find nothing any more, one line each. */
  readonly warnings: readonly string[];
}

const MAX_PROBLEMS = 3;

/**
 * Tells how a run ended: `succeeded` when nothing went wrong, `failed` when no listing could be read and no article was
 * got, `partial` in between: a source that answers has not failed, whatever becomes of single articles. The error names
 * what went wrong.
 */
export function outcomeOf({ counts, discovered, visits, items, pushError, warnings }: RunFacts): RunOutcome {
  const { failed: refused, pending } = items;
  // What all listings of a host have in common is said once.
  const listings = [...new Set(discovered.problems)];
  const problems = [
    ...listings.slice(0, MAX_PROBLEMS),
    ...(listings.length > MAX_PROBLEMS ? [`${listings.length - MAX_PROBLEMS} more listings failed`] : []),
    ...visits.outages,
    ...(visits.failed === 0 ? [] : [`${visits.failed} articles failed`]),
    ...(visits.retried === 0 ? [] : [`${visits.retried} articles are to be tried again`]),
    ...(refused === 0 ? [] : [`the API refused ${refused} articles`]),
    ...(pending === 0 ? [] : [`${pending} articles wait for the API${pushError === null ? "" : `: ${pushError}`}`]),
    ...warnings,
  ];
  if (problems.length === 0) return { status: "succeeded", counts, error: null };
  const status = discovered.read === 0 && counts.extracted === 0 ? "failed" : "partial";
  return { status, counts, error: problems.join("; ") };
}

/** Most articles refused by the API whose reasons are kept. */
const MAX_REFUSED = 100;
const DEFAULT_MAX_ARTICLES = 200;
/** The longest wait for a host's turn: profiles may ask for ten minutes between two requests. */
const MAX_TURN_MS = 700_000;

/**
 * Goes through a run: listings, articles, delivery. Everything that is found is kept before the next step, so that a
 * run that was cut off anywhere is taken up by the next one. Rejects only when the database fails or the signal aborts.
 */
async function crawlRun(
  parts: CrawlParts,
  profile: CrawlProfile,
  run: CrawlRun,
  { signal, requestId = run.runId, onProgress }: CrawlContext,
): Promise<RunOutcome> {
  const counts = { ...NO_COUNTS, ...run.counts };
  const report = new RunReport(parts.now, { ...NO_DETAILS, ...run });
  const progressed = () => onProgress?.({ counts: { ...counts }, details: report.details() });
  const shared = { signal, maxTurnMs: MAX_TURN_MS, report };
  const discovered = await discoverAll(parts, profile, { ...shared, runId: run.runId });
  counts.discovered += discovered.discovered;
  await reopenNewest(parts, profile);
  progressed();
  const push = createPush(parts, run.runId, { signal, requestId, profileId: profile.name });
  const categorize = createCategorizer(profile, parts.taxonomy);
  const visits = await visitAll({
    context: { ...shared, parts, profile, categorize },
    run,
    limit: (run.limit ?? profile.limits?.max_articles ?? DEFAULT_MAX_ARTICLES) - visitedBefore(run),
    counts,
    onVisited(kept) {
      if (kept) push.kept();
      progressed();
    },
  });
  const { items, error: pushError } = await push.end();
  const { failed } = counts;
  counts.duplicate = items.duplicate;
  counts.conflict = items.conflict;
  counts.sent = items.sent + items.duplicate + items.conflict + items.failed;
  counts.failed += items.failed;
  const refused = await parts.store.items.find({ runId: run.runId, state: "failed", limit: MAX_REFUSED });
  for (const { url, reason } of refused.toReversed()) report.error(url, reason ?? "refused by the API");
  progressed();
  const warnings = await warningsOf(parts, profile, run, report);
  return outcomeOf({ counts, discovered, visits: { ...visits, failed }, items, pushError, warnings });
}

/** Selectors that find nothing any more, over this run and those before it; none where no page was read. */
async function warningsOf(
  { store }: CrawlParts,
  { name }: CrawlProfile,
  { runId }: CrawlRun,
  report: RunReport,
): Promise<string[]> {
  const { selectors } = report.details();
  if (Object.keys(selectors).length === 0) return [];
  const before = await store.runs.recentSelectors([name], { except: runId });
  return selectorWarnings([selectors, ...(before.get(name) ?? [])]);
}

/** Articles that an earlier, interrupted part of the run has visited. */
function visitedBefore({ counts }: CrawlRun): number {
  return counts === undefined ? 0 : counts.extracted + counts.skipped + counts.failed;
}
