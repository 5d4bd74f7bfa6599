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
  NormalizedItem,
  ReplayCounts,
  ReplayRequest,
  RunOutcome,
  ScrapeAnswer,
  ScrapeError,
  ScrapeMetadata,
  ScrapeRequest,
} from "./types.ts";
export { pageHints } from "./visit/page-hints.ts";
