import { dispatch } from "@isnad/lib/cli";

// The measures of the scraper by name.
await dispatch({
  "eval:extraction": async () => (await import("./extraction/command.ts")).evalExtraction,
  "eval:feeds": async () => (await import("./feeds/command.ts")).evalFeeds,
});
