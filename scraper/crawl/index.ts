export type {
  CrawlContext,
  CrawlCounts,
  Crawler,
  CrawlManners,
  CrawlProfile,
  CrawlRun,
  DeliveryCounts,
  DiscoveryPage,
  ListPage,
  NormalizedItem,
  ReplayCounts,
  ReplayRequest,
  RunOutcome,
  ScrapeAnswer,
  ScrapeMetadata,
  ScrapeRequest,
} from "./types.ts";
export { createCrawler, type CrawlerOptions } from "./create-crawler.ts";
export { pageHints } from "./page-hints.ts";
