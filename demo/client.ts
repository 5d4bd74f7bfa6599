import { setTimeout as sleep } from "node:timers/promises";
import type { ApiTarget, ScraperTarget } from "@isnad/lib/cli";
import { isObject } from "@isnad/lib/std";

/** A hit as the demo shows it. */
export type Hit = {
  articleId: number;
  title: string;
  snippet: string;
  url: string;
  source: string;
  lang: string;
  category: string | null;
  publishedAt: string | null;
  score: number;
  /**
   * Its place among the hits by word and among those by meaning; null where it is not among them, or was not looked
   * for.
   */
  byWord: number | null;
  byMeaning: number | null;
};

/** The answer to a search: the hits, and how long the service took, in milliseconds. */
export type Found = { hits: Hit[]; tookMs: number };

/** A finished crawl: how it ended, and what happened in it, by name. */
export type Crawl = { status: string; error: string | null; counts: Record<string, number> };

/** What the demo asks of the scraper and of the central API. */
export type DemoClient = {
  /** Runs the profile, or waits for the run that is under way. */
  crawl(profile: string, signal: AbortSignal): Promise<Crawl>;
  search(params: Record<string, string>): Promise<Found>;
};

type Json = Record<string, unknown>;

/** How often a run is asked after, in milliseconds. */
const POLL_MS = 100;

/** A client of the services. Its calls throw when a service answers in any other way than expected. */
export function createDemoClient(api: ApiTarget, scraper: ScraperTarget): DemoClient {
  const reader = api.publicKey === undefined ? {} : { "x-api-key": api.publicKey };

  return {
    async crawl(profile, signal) {
      const started = await call(`${scraper.url}/runs`, [202, 409], {
        method: "POST",
        headers: { authorization: `Bearer ${scraper.token}`, "content-type": "application/json" },
        body: JSON.stringify({ profile_id: profile }),
      });
      for (;;) {
        const run = await call(`${scraper.url}/runs/${started.run_id}`, [200]);
        const status = String(run.status);
        if (status !== "queued" && status !== "running") {
          return { status, error: typeof run.error === "string" ? run.error : null, counts: numbers(run.counts) };
        }
        await sleep(POLL_MS, undefined, { signal });
      }
    },
    async search(params) {
      const body = await call(`${api.url}/v1/search?${new URLSearchParams(params)}`, [200], { headers: reader });
      return { hits: records(body.results).map(toHit), tookMs: Number(record(body.meta).took_ms) };
    },
  };
}

async function call(url: string, expected: readonly number[], init: RequestInit = {}): Promise<Json> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const body = record(await response.json());
  if (expected.includes(response.status)) return body;
  const { pathname } = new URL(url);
  throw new Error(
    `${init.method ?? "GET"} ${pathname} answered ${response.status}: ${body.detail ?? body.title ?? ""}`,
  );
}

function toHit(hit: Json): Hit {
  const nullable = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    articleId: Number(hit.article_id),
    title: String(hit.title),
    snippet: String(hit.snippet),
    url: String(hit.url),
    source: String(hit.source),
    lang: String(hit.lang),
    category: nullable(hit.category),
    publishedAt: nullable(hit.published_at),
    score: Number(hit.score),
    byWord: typeof hit.bm25_rank === "number" ? hit.bm25_rank : null,
    byMeaning: typeof hit.knn_rank === "number" ? hit.knn_rank : null,
  };
}

function record(value: unknown): Json {
  return isObject(value) ? value : {};
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function numbers(value: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(record(value)).map(([name, count]) => [name, Number(count)]));
}
