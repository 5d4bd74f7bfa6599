export { type DiscoveredEntry, entriesOfFeed, entriesOfLinks, entriesOfSitemap } from "./entries.ts";
export { type GatherOptions, type GatheredPages, gatherSitemaps } from "./gather-sitemaps.ts";
export type { ListedLink, ListPage, ListPageInput } from "./list-page.ts";
export { type Sitemap, SitemapError, type SitemapFile, type SitemapNews, type SitemapPage } from "./sitemap.ts";
export { createUrlFilter, type UrlPatterns } from "./url-filter.ts";
export type { InspectInput, NamedAddress, PageInspection } from "./inspect-page.ts";
export type { SelectorMatch } from "./match-selectors.ts";
