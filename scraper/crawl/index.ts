export { type ClientOptions, createClients, productOf } from "./clients.ts";
export { type CrawlerOptions, createCrawler } from "./create-crawler.ts";
export type {
  CrawlContext,
  CrawlCounts,
  Crawler,
  CrawlManners,
  CrawlProfile,
  CrawlProgress,
  CrawlRun,
  DeliveryCounts,
  DiscoveryPage,
  ListPage,
  ReplayCounts,
  ReplayRequest,
  RunOutcome,
  ScrapeAnswer,
  ScrapeRequest,
} from "./types.ts";
export { type Listing, ListingError, listingsOf, readListing } from "./discover/listing.ts";
export { fetchFor } from "./fetch.ts";
export type { CrawlParts } from "./parts.ts";
export { pageHints } from "./visit/page-hints.ts";
