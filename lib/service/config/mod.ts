export { type Config, loadConfig, VERSION } from "./load.ts";
export { ConfigError, type Env } from "./option.ts";
export { options } from "./options.ts";
export type { Engines, MeiliServer, OpenSearchServer } from "./servers.ts";
export { clampConfidence, createTaxonomy, loadTaxonomy, type Taxonomy } from "./taxonomy.ts";
export { ensureTokens, missingTokens, tokensFile } from "./tokens.ts";
