export { createClients, productOf } from "./clients.ts";
export { createCrawler } from "./create-crawler.ts";
export type {
  Crawler,
  CrawlProgress,
  ListPage,
  ReplayCounts,
  ReplayRequest,
  RunOutcome,
  ScrapeAnswer,
  ScrapeRequest,
} from "./types.ts";
export { ListingError, listingsOf, readListing } from "./discover/listing.ts";
export { fetchFor } from "./fetch.ts";
export type { CrawlParts } from "./parts.ts";
export { pageHints } from "./visit/page-hints.ts";
