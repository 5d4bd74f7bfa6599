export { type DiscoveredEntry, entriesOfFeed, entriesOfLinks, entriesOfSitemap } from "./entries.ts";
export { gatherSitemaps } from "./sitemap.ts";
export type { ListedLink, ListPage, ListPageInput } from "./list-page.ts";
export { type Sitemap, SitemapError, type SitemapPage } from "./sitemap.ts";
export { createUrlFilter, type UrlPatterns } from "./entries.ts";
export type { InspectInput, NamedAddress, PageInspection } from "./inspect-page.ts";
