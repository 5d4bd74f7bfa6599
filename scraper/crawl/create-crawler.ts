import { type Config, loadTaxonomy } from "@isnad/lib/service/config";
import type { Fetcher } from "@isnad/lib/web/egress";
import { createIngestClient, type Endpoint, type IngestClient } from "@isnad/lib/ingest/client";
import type { ThreadsLogger } from "@isnad/lib/service/threads";
import { ReaderPool } from "../../lib/extraction/reader/mod.ts";
import { createClients } from "./clients.ts";
import { crawlRun } from "./crawl-run.ts";
import { deliver } from "./deliver/deliver.ts";
import { replay } from "./deliver/replay.ts";
import type { CrawlParts, ScraperStore } from "./parts.ts";
import { ListingMemory } from "./scrape/listing-memory.ts";
import { scrape } from "./scrape/scrape.ts";
import type { Crawler } from "./types.ts";

/** What a crawler is made of. */
export interface CrawlerOptions {
  readonly config: Pick<Config, "apiUrl" | "tokens" | "ingest" | "scraper" | "taxonomyFile">;
  readonly store: ScraperStore;
  /** Where the API is; asked before every request. Default: as the configuration says. */
  readonly endpoint?: () => Promise<Endpoint>;
  /** How long a delivery goes on trying before it leaves the rest for later, in milliseconds. Default 10,000. */
  readonly patienceMs?: number;
  /** Makes the outbound client of a user agent; tests bring their own. */
  readonly fetcherFor?: (userAgent: string) => Fetcher;
  /** Time limit of one request, redirects and body included, in milliseconds. Default: that of the configuration. */
  readonly timeoutMs?: number;
  /** How often a request that failed for the moment is repeated at once. Default: as the outbound client does. */
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
    deliverPending: (signal) => deliver(parts, { signal }),
    threads: () => reader.threads(),
    close: () => reader.close(),
  };
}

const READER_THREADS = 2;
function ingestClientOf({ config, endpoint, patienceMs = 10_000 }: CrawlerOptions): IngestClient {
  const { maxBatch, maxBodyBytes } = config.ingest;
  return createIngestClient({
    endpoint: endpoint ?? (async () => ({ url: config.apiUrl, token: config.tokens.ingest[0] ?? "" })),
    patienceMs,
    // A little room for what lies between.
    limits: { maxItems: maxBatch, maxBytes: Math.floor(maxBodyBytes * 0.99) },
  });
}
