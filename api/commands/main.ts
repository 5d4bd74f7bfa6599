import { dispatch } from "@isnad/lib/cli";

// The operator commands by name; each is loaded when it is called.
await dispatch({
  "article:delete": async () => (await import("./article-delete.ts")).articleDelete,
  "articles:import": async () => (await import("./articles-import.ts")).articlesImport,
  models: async () => (await import("@isnad/lib/inference")).models,
  "search:reindex": async () => (await import("./search-reindex.ts")).searchReindex,
  "search:setup": async () => (await import("./search-setup.ts")).searchSetup,
});
