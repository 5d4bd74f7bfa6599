import { existsSync } from "node:fs";
import { ensureTokens, type Env, loadConfig, tokensFile } from "../config/mod.ts";
import { CommandError } from "./command.ts";
import { isLoopback } from "./loopback.ts";
import { readRunning } from "./running.ts";

/** The central API as operator commands reach it. */
export type ApiTarget = {
  /** Without a slash at the end. */
  url: string;
  ingestToken: string;
  /** What X-Metrics-Token takes; undefined when none is known. */
  metricsToken?: string;
  /** What x-api-key takes; undefined when search is open. */
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
