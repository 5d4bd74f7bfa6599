import { type CommandTable, dispatch } from "@isnad/lib/service/cli";

/** Every operator command by name; each is loaded when it is called. */
export const COMMANDS: CommandTable = {
  "article:delete": async () => (await import("./articles/articles.ts")).articleDelete,
  "articles:import": async () => (await import("./articles/import.ts")).articlesImport,
  "articles:prune": async () => (await import("./articles/articles.ts")).articlesPrune,
  "articles:retry": async () => (await import("./articles/articles.ts")).articlesRetry,
  backup: async () => (await import("./backup/backup.ts")).backup,
  "compose:secrets": async () => (await import("./compose/secrets.ts")).composeSecrets,
  "copies:rebuild": async () => (await import("./copies/rebuild.ts")).copiesRebuild,
  "crawl:source": async () => (await import("./sources/pull.ts")).crawlSource,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  "entities:renew": async () => (await import("./entities/renew.ts")).entitiesRenew,
  keys: async () => (await import("./keys/keys.ts")).keys,
  "lexicon:import": async () => (await import("./lexicon/import.ts")).lexiconImport,
  mcp: async () => (await import("./mcp/mcp.ts")).mcp,
  models: async () => (await import("./models/models.ts")).models,
  "news:pull": async () => (await import("./sources/pull.ts")).newsPull,
  restore: async () => (await import("./backup/backup.ts")).restore,
  "scraper:extract": async () => (await import("./scraper/extract.ts")).scraperExtract,
  "scraper:feed": async () => (await import("./scraper/extract.ts")).scraperFeed,
  "scraper:profile": async () => (await import("./profiles/profile.ts")).scraperProfile,
  "scraper:run": async () => (await import("./scraper/run.ts")).scraperRun,
  "scraper:schema": async () => (await import("./profiles/profile.ts")).scraperSchema,
  "scraper:sync-sources": async () => (await import("./sources/sync-sources.ts")).syncSources,
  "search:reindex": async () => (await import("./search/reindex.ts")).searchReindex,
  "search:setup": async () => (await import("./search/reindex.ts")).searchSetup,
  "sources:disable": async () => (await import("./sources/list.ts")).sourcesDisable,
  "sources:enable": async () => (await import("./sources/list.ts")).sourcesEnable,
  "sources:export": async () => (await import("./sources/opml.ts")).sourcesExport,
  "sources:import": async () => (await import("./sources/opml.ts")).sourcesImport,
  "sources:list": async () => (await import("./sources/list.ts")).sourcesList,
  "sources:remove": async () => (await import("./sources/list.ts")).sourcesRemove,
  "stories:rebuild": async () => (await import("./stories/rebuild.ts")).storiesRebuild,
};

if (import.meta.main) await dispatch(COMMANDS);
