import { URL } from "node:url";
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
