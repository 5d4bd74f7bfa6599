import { createIngestClient, type Endpoint, type IngestClient } from "@isnad/lib/ingest/client";
import { type Config, loadTaxonomy } from "@isnad/lib/service/config";
import type { ThreadsLogger } from "@isnad/lib/service/threads";
import { BoundedMap } from "@isnad/lib/std";
import {
  createFetcher,
  createPoliteClient,
  type Fetcher,
  type LeaseStore,
  type PoliteClient,
} from "@isnad/lib/web/egress";
import { ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { initProfile } from "../profiles/init/init-profile.ts";
import { crawlRun } from "./crawl-run.ts";
import { deliver, replay } from "./deliver.ts";
import { ListingMemory } from "./scrape-source.ts";
import { scrape } from "./scrape.ts";
import type { Crawler, CrawlParts, ScraperStore } from "./types.ts";

/** Holds what the clients of the scraper are made of. */
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
