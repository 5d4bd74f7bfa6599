import { URL } from "node:url";
import { createLogger, type Logger } from "@isnad/lib/service/process";
import { type LogLine, type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";

/** A scraper as a process. */
export type ScraperProcess = {
  url: string;
  /** Asks with the token `t`; a body is sent as JSON. */
  ask(path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Ends the process; resolves to its exit code, null after a signal. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** Log lines so far. */
  lines: LogLine[];
};

/** The scraper's main.ts as a child process, with the environment `env` and nothing else. */
export function spawnScraper(env: Record<string, string>): ServiceProcess {
  const main = new URL("../main.ts", import.meta.url);
  return spawnService(main, { SCRAPER_PORT: "0", SCRAPER_TOKEN: "t", INGEST_TOKEN: "i", ...env });
}

/** Starts a scraper and waits until it listens. Rejects with what it said when it ends before that. */
export async function startScraper(env: Record<string, string>): Promise<ScraperProcess> {
  const service = spawnScraper(env);
  const url = String((await service.said("the scraper is listening")).url);
  return {
    url,
    lines: service.lines,
    ask: async (path, body) => {
      const response = await fetch(`${url}${path}`, {
        headers: { authorization: "Bearer t", "content-type": "application/json" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
      return { status: response.status, body: Object(await response.json()) };
    },
    end: (signal) => service.end(signal),
  };
}

/**
 * Ends, by a statement, the leases of a process that was killed: what it had in hand is free at once, and not after
 * their time. The articles that it was visiting are free once its run is taken up.
 */
export async function endLeases(query: (statement: string) => PromiseLike<unknown>): Promise<void> {
  for (const table of ["scraper_runs", "scraper_items", "host_leases"]) {
    await query(`update ${table} set lease_until = now() where lease_until > now()`);
  }
}

/** A logger whose lines are collected. */
export function collectingLogger(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ service: "scraper", level: "debug", stream }), lines };
}
