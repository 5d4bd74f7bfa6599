import { readFileSync } from "node:fs";
import { isObject } from "../../std/mod.ts";
import { runFilePath } from "../process/run-file.ts";

/**
 * What the run file of a data folder tells: the URLs of the services that run, a token of the ingest routes, and one of
 * the scraper.
 */
export type Running = { urls: Record<string, string>; ingestToken?: string; scraperToken?: string };

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

/** The entries of `value[key]` that are texts and not empty. */
function texts(value: unknown, key: string): Record<string, string> {
  const inner = isObject(value) ? value[key] : undefined;
  const entries = isObject(inner) ? Object.entries(inner) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
  );
}
