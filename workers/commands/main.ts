import { dispatch } from "@isnad/lib/cli";

// The commands of the pull side by name; each is loaded when it is called.
await dispatch({
  "crawl:source": async () => (await import("./crawl-source.ts")).crawlSource,
  "entities:renew": async () => (await import("./entities-renew.ts")).entitiesRenew,
  "news:pull": async () => (await import("./news-pull.ts")).newsPull,
  "scraper:sync-sources": async () => (await import("./sync-sources.ts")).syncSources,
  "sources:export": async () => (await import("./sources-export.ts")).sourcesExport,
  "sources:import": async () => (await import("./sources-import.ts")).sourcesImport,
  "sources:list": async () => (await import("./sources-list.ts")).sourcesList,
});
