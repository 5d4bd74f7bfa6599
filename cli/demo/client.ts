import { setTimeout as sleep } from "node:timers/promises";
import type { ApiTarget, ScraperTarget } from "@isnad/lib/service/cli";
import { ChainView, ChatAnswer, IngestResponse, Problem, RunView, SearchBody, Summary } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import type { DemoArticle } from "./site.ts";

const Started = RunView.pick({ run_id: true });
const Crawl = RunView.pick({ status: true, error: true, counts: true });

/** A finished crawl: how it ended, and what happened in it. */
export type Crawl = z.output<typeof Crawl>;

/** The answer to a search, as far as the demo shows it. */
export type Found = Pick<SearchBody, "results"> & { meta: Pick<SearchBody["meta"], "took_ms"> };

/** An answer with what it cites, as far as the demo shows it. */
const Answer = ChatAnswer.pick({ model: true, sources: true, message: true });
export type Answer = z.output<typeof Answer>;

/** A summary, as far as the demo shows it. */
const Points = Summary.pick({ summary: true, model: true });
export type Points = z.output<typeof Points>;

/** Holds what the demo asks of the scraper and of the central API. */
export type DemoClient = {
  /** Runs the profile, or waits for the run that is under way. */
  crawl(profile: string, signal: AbortSignal): Promise<Crawl>;
  search(params: Record<string, string>): Promise<Found>;
  /** Pushes reports of other papers, each of the source of its slug; returns their ids in order. */
  push(articles: readonly DemoArticle[]): Promise<number[]>;
  /** Returns who had an article first and who took it over. */
  chain(articleId: number): Promise<ChainView>;
  /** Answers a question from the articles. */
  ask(question: string): Promise<Answer>;
  /** Summarises an article in points. */
  summarize(articleId: number): Promise<Points>;
};

const Content = z.object({ content: z.string() });

/** Says how often a run is asked after, in milliseconds. */
const POLL_MS = 100;

/** Returns a client of the services. Its calls throw when a service answers in any other way than expected. */
export function createDemoClient(api: ApiTarget, scraper: ScraperTarget): DemoClient {
  const reader = api.publicKey === undefined ? {} : { "x-api-key": api.publicKey };

  const send = <T extends z.ZodType>(path: string, schema: T, body: object): Promise<z.output<T>> =>
    call(`${api.url}${path}`, schema, [200], {
      method: "POST",
      headers: { ...reader, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  return {
    async crawl(profile, signal) {
      const started = await call(`${scraper.url}/runs`, Started, [202, 409], {
        method: "POST",
        headers: { authorization: `Bearer ${scraper.token}`, "content-type": "application/json" },
        body: JSON.stringify({ profile_id: profile }),
      });
      for (;;) {
        const run = await call(`${scraper.url}/runs/${started.run_id}`, Crawl, [200]);
        if (run.status !== "queued" && run.status !== "running") return run;
        await sleep(POLL_MS, undefined, { signal });
      }
    },
    search: (params) =>
      call(`${api.url}/v1/search?${new URLSearchParams(params)}`, SearchBody, [200], { headers: reader }),
    async push(articles) {
      const { results } = await call(`${api.url}/v1/ingest/articles`, IngestResponse, [202], {
        method: "POST",
        headers: { authorization: `Bearer ${api.ingestToken}`, "content-type": "application/json" },
        body: JSON.stringify({ articles: articles.map(itemOf) }),
      });
      return results.flatMap(({ article_id }) => article_id ?? []);
    },
    chain: (articleId) => call(`${api.url}/v1/articles/${articleId}/chain`, ChainView, [200], { headers: reader }),
    ask: (question) =>
      send("/chat/completions", Answer, { stream: false, messages: [{ role: "user", content: question }] }),
    async summarize(articleId) {
      const { content } = await call(`${api.url}/v1/articles/${articleId}`, Content, [200], { headers: reader });
      return await send("/api/ai/summarize", Points, { text: content, length: "short", format: "bullets" });
    },
  };
}

const itemOf = ({ slug, title, content, publishedAt, lang }: DemoArticle) => ({
  source_id: slug,
  external_id: publishedAt,
  url: `https://${slug}.example/${publishedAt.slice(0, 10)}`,
  title,
  content,
  lang,
  published_at: publishedAt,
});

async function call<T extends z.ZodType>(
  url: string,
  schema: T,
  expected: readonly number[],
  init: RequestInit = {},
): Promise<z.output<T>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const body: unknown = await response.json();
  if (expected.includes(response.status)) return schema.parse(body);
  const { detail, title } = Problem.partial().safeParse(body).data ?? {};
  const { pathname } = new URL(url);
  throw new Error(`${init.method ?? "GET"} ${pathname} answered ${response.status}: ${detail ?? title ?? ""}`);
}
