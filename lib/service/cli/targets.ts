import { existsSync, readFileSync } from "node:fs";
import { isObject } from "../../std/mod.ts";
import { type Env, ensureTokens, loadConfig, tokensFile } from "../config/mod.ts";
import { runFilePath } from "../process/files.ts";
import { CommandError } from "./command.ts";

/** Tells whether a URL names this machine by its loopback address or as `localhost`. */
function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/**
 * Describes what the run file of a data folder tells: the URLs of the services that run, a token of the ingest routes,
 * and one of the scraper.
 */
type Running = { urls: Record<string, string>; ingestToken?: string; scraperToken?: string };

/** Reads `DATA_DIR/run.json`; without a stack that runs, or with a damaged file, nothing is told. */
export function readRunning(dataDir: string): Running {
  try {
    const info: unknown = JSON.parse(readFileSync(runFilePath(dataDir), "utf8"));
    const { ingest, scraper } = texts(info, "tokens");
    const first = (tokens: string | undefined) => tokens?.split(",")[0];
    const ingestToken = first(ingest);
    const scraperToken = first(scraper);
    return {
      urls: texts(info, "urls"),
      ...(ingestToken !== undefined && { ingestToken }),
      ...(scraperToken !== undefined && { scraperToken }),
    };
  } catch (error) {
    if (error instanceof Error) return { urls: {} };
    throw error;
  }
}

/** Returns the entries of `value[key]` that are texts and not empty. */
function texts(value: unknown, key: string): Record<string, string> {
  const inner = isObject(value) ? value[key] : undefined;
  const entries = isObject(inner) ? Object.entries(inner) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
  );
}

/** The central API as operator commands reach it. */
export type ApiTarget = {
  /** Without a slash at the end. */
  url: string;
  ingestToken: string;
  /** Says what X-Metrics-Token takes; undefined when none is known. */
  metricsToken?: string;
  /** Says what x-api-key takes; undefined when search is open. */
  publicKey?: string;
  /** The data folder, absolute. */
  dataDir: string;
};

/**
 * Finds the central API: `API_URL`, else the stack that runs on this `DATA_DIR` (its run.json), else the configured
 * port of this machine. Tokens come from the environment; those of the data folder are only ever sent to this machine.
 * Throws ConfigError, and CommandError when no ingest token is known.
 */
export async function findApi(env: Env): Promise<ApiTarget> {
  const config = loadConfig(env);
  const running = readRunning(config.dataDir);
  const url = (env.API_URL?.trim() ? undefined : running.urls.api) ?? config.apiUrl;
  const local = isLoopback(url);
  const kept = local && existsSync(tokensFile(config)) ? (await ensureTokens(config)).tokens : config.tokens;
  const ingestToken = config.tokens.ingest[0] ?? (local ? running.ingestToken : undefined) ?? kept.ingest[0];
  if (ingestToken === undefined) {
    throw new CommandError(
      local
        ? `no ingest token: start the stack on ${config.dataDir} (or set DATA_DIR to where it runs), or set INGEST_TOKEN`
        : `no ingest token for ${url}: set INGEST_TOKEN`,
    );
  }
  const metricsToken = config.tokens.metrics[0] ?? kept.metrics[0];
  const publicKey = config.tokens.apiPublic[0];
  return {
    url,
    ingestToken,
    dataDir: config.dataDir,
    ...(metricsToken === undefined ? {} : { metricsToken }),
    ...(publicKey === undefined ? {} : { publicKey }),
  };
}

/** The scraper as commands and workers reach it. */
export type ScraperTarget = {
  /** Without a slash at the end. */
  url: string;
  /** Says what its write routes take. */
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
