import { dispatch } from "@isnad/lib/cli";

// The scraper's commands by name; each is loaded when it is called.
await dispatch({
  "eval:extraction": async () => (await import("./eval-extraction.ts")).evalExtraction,
  "eval:feeds": async () => (await import("./eval-feeds.ts")).evalFeeds,
  "scraper:extract": async () => (await import("./extract.ts")).scraperExtract,
  "scraper:feed": async () => (await import("./feed.ts")).scraperFeed,
  "scraper:run": async () => (await import("./run.ts")).scraperRun,
  "scraper:schema": async () => (await import("./schema.ts")).scraperSchema,
});
