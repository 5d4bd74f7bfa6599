import { URL } from "node:url";
import { createLogger, createMetrics, type Logger } from "@isnad/lib/service/process";
import { type LogLine, type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";
import { type Config, loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { AppError, type Service } from "@isnad/lib/service/http";
import type { Store } from "@isnad/lib/store";
import { testStore } from "@isnad/lib/store/testing";
import { createApp } from "../app.ts";
import type { ReplayRequest, ScrapeAnswer, ScrapeRequest } from "../crawl/types.ts";
import { scraperMetrics } from "../metrics.ts";
import type { ScraperDeps } from "../deps.ts";
import { testProfiles } from "./profiles.ts";

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

/** The scraper token of {@link testScraper}. */
export const TOKEN = "scraper-token";

/** The service over a database of its own. Its crawler answers what the test says, and remembers what it was asked. */
export type TestScraper = Service & {
  config: Config;
  store: Store;
  profiles: ReturnType<typeof testProfiles>;
  lines: Record<string, unknown>[];
  /** What the crawler was asked for. */
  asked: {
    scrape: { profiles: string[]; request: ScrapeRequest; requestId: string | undefined }[];
    replay: ReplayRequest[];
  };
  /** What it answers. */
  answers: { scrape: ScrapeAnswer; matched: number };
  /** How often a run was queued. */
  queued(): number;
  /** Requests with the token; `body` is sent as JSON unless it is text. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  get(path: string): Promise<TestAnswer>;
  close(): Promise<void>;
};

/** An answer with its JSON, null where it has no body. */
type TestAnswer = {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  list: Record<string, unknown>[];
};

/** Makes the service; `env` is added to its environment, `over` replaces parts. Call `close()` when done. */
export async function testScraper(
  env: Record<string, string> = {},
  over: Partial<ScraperDeps> = {},
): Promise<TestScraper> {
  const opened = await testStore();
  const config = loadConfig(
    { SCRAPER_TOKEN: `${TOKEN},next-token`, INGEST_TOKEN: "i", ...env },
    { service: "scraper" },
  );
  const { logger, lines } = collectingLogger();
  const profiles = testProfiles();
  const metrics = createMetrics();
  const asked: TestScraper["asked"] = { scrape: [], replay: [] };
  const answers: TestScraper["answers"] = {
    scrape: { errors: [], results: [], metadata: { total_articles: 0, sources_processed: [], processing_time_ms: 1 } },
    matched: 0,
  };
  let queued = 0;
  const service = createApp({
    config,
    logger,
    metrics,
    measured: scraperMetrics(metrics, { store: opened.store.scraper, profiles }),
    store: opened.store,
    profiles,
    taxonomy: loadTaxonomy(),
    crawler: {
      scrape: async (chosen, request, { requestId }) => {
        asked.scrape.push({ profiles: chosen.map(({ name }) => name), request, requestId });
        return answers.scrape;
      },
      replay: async (request) => {
        asked.replay.push(request);
        const { matched } = answers;
        return { matched, sent: matched, accepted: 0, duplicate: matched, conflict: 0, failed: 0 };
      },
      draft: async () => {
        throw new AppError("not-found", "The test has no site.");
      },
      threads: () => ({ threads: 2, alive: 0, failing: 0, restarts: 0, lastError: undefined }),
    },
    pingApi: async () => undefined,
    onQueued: () => queued++,
    ...over,
  });
  const ask = async (path: string, init: RequestInit): Promise<TestAnswer> => {
    const response = await service.app.request(path, init);
    const text = await response.text();
    const json: unknown = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : null;
    return {
      status: response.status,
      headers: response.headers,
      body: Object(json),
      list: Array.isArray(json) ? json : [],
    };
  };
  return {
    ...service,
    config,
    store: opened.store,
    profiles,
    lines,
    asked,
    answers,
    queued: () => queued,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    get: (path) => ask(path, {}),
    close: () => opened.close(),
  };
}
