import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What `run.json` tells of a running stack: base URLs of the services, one credential each, process ids. */
export type RunInfo = {
  urls: Record<string, string>;
  tokens: { ingest: string; metrics: string; scraper: string; edge: string; internal?: string };
  pids: Record<string, number>;
};

/** The path of `run.json` within the data folder. */
export function runFilePath(dataDir: string): string {
  return join(dataDir, "run.json");
}

/** Writes `run.json` with mode 0600; a reader sees the old file or the new one, never half of one. */
export function writeRunFile(dataDir: string, info: RunInfo): void {
  const path = runFilePath(dataDir);
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Removes `run.json`; nothing happens when it is not there. */
export function removeRunFile(dataDir: string): void {
  rmSync(runFilePath(dataDir), { force: true });
}

/** The URLs in `run.json`, for a message; empty when the file is missing or unreadable. */
export function runningUrls(dataDir: string): string[] {
  try {
    const info: unknown = JSON.parse(readFileSync(runFilePath(dataDir), "utf8"));
    if (typeof info !== "object" || info === null || !("urls" in info)) return [];
    return Object.values(info.urls ?? {}).filter((url) => typeof url === "string");
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}
