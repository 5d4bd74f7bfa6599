import { type Config, loadConfig, loadTaxonomy } from "@isnad/lib/service/config";
import { createMetrics } from "@isnad/lib/service/process";
import { AppError, type Service } from "@isnad/lib/service/http";
import type { Store } from "@isnad/lib/store";
import { createApp } from "../app.ts";
import type { ReplayRequest, ScrapeAnswer, ScrapeRequest } from "../crawl/types.ts";
import { scraperMetrics } from "../metrics.ts";
import { testStore } from "@isnad/lib/store/testing";
import { collectingLogger } from "./process.ts";
import { testProfiles } from "./profiles.ts";
import type { ScraperDeps } from "../deps.ts";

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
