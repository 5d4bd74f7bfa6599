export type { Engines, MeiliServer, OpenSearchServer } from "./engines.ts";
export { type Config, loadConfig, type Tokens } from "./load.ts";
export type { OptionDoc } from "./option.ts";
export { options } from "./options.ts";
export * from "./taxonomy.ts";
export { ensureTokens, missingTokens, tokensFile } from "./tokens.ts";
export { ConfigError, type Env, type Problem } from "./values.ts";
export { VERSION } from "./version.ts";
