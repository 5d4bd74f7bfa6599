import { existsSync } from "node:fs";
import { ensureTokens, type Env, loadConfig, tokensFile } from "../config/mod.ts";
import { CommandError } from "./command.ts";
import { isLoopback } from "./loopback.ts";
import { readRunning } from "./running.ts";

/** The scraper as commands and workers reach it. */
export type ScraperTarget = {
  /** Without a slash at the end. */
  url: string;
  /** What its write routes take. */
  token: string;
};

/**
 * Finds the scraper: `SCRAPER_URL`, else the stack that runs on this `DATA_DIR` (its run.json), else the configured
 * port of this machine. Tokens of the data folder are only ever sent to this machine. Throws ConfigError, and
 * CommandError when no token is known.
 */
export async function findScraper(env: Env): Promise<ScraperTarget> {
  const config = loadConfig(env);
  const running = readRunning(config.dataDir);
  const url = (env.SCRAPER_URL?.trim() ? undefined : running.urls.scraper) ?? config.scraperUrl;
  const local = isLoopback(url);
  const kept = local && existsSync(tokensFile(config)) ? (await ensureTokens(config)).tokens : config.tokens;
  const token = config.tokens.scraper[0] ?? (local ? running.scraperToken : undefined) ?? kept.scraper[0];
  if (token === undefined) {
    throw new CommandError(
      local
        ? `no scraper token: start the stack on ${config.dataDir} (or set DATA_DIR to where it runs), or set SCRAPER_TOKEN`
        : `no scraper token for ${url}: set SCRAPER_TOKEN`,
    );
  }
  return { url, token };
}
