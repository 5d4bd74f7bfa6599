export { createClients, productOf } from "./create-crawler.ts";
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
export { ListingError, listingsOf, readListing } from "./listing.ts";
export { fetchFor } from "./fetch.ts";
export type { CrawlParts } from "./create-crawler.ts";
export { pageHints } from "./visit.ts";
