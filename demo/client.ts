import type { ApiTarget } from "@isnad/lib/cli";
import type { DemoArticle } from "./newsroom.ts";

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
  /** Its place among the hits by word and among those by meaning; null where it is not among them, or was not looked for. */
  byWord: number | null;
  byMeaning: number | null;
};

/** The answer to a search: the hits, and how long the service took, in milliseconds. */
export type Found = { hits: Hit[]; tookMs: number };

/** What became of the posted articles: counts by status, and the id of each stored one by its external id. */
export type Posted = { counts: Record<string, number>; ids: Map<string, number> };

/** The three calls of the central API that the demo makes. */
export type DemoClient = {
  post(articles: readonly DemoArticle[]): Promise<Posted>;
  state(articleId: number): Promise<string>;
  search(params: Record<string, string>): Promise<Found>;
};

type Json = Record<string, unknown>;

/** A client of the API at `target`. Its calls throw when the API answers in any other way than expected. */
export function createDemoClient({ url, ingestToken, publicKey }: ApiTarget): DemoClient {
  const reader = publicKey === undefined ? {} : { "x-api-key": publicKey };

  async function call(path: string, init: RequestInit, expected: readonly number[]): Promise<Json> {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(30_000) });
    const body = record(await response.json());
    if (expected.includes(response.status)) return body;
    throw new Error(`${init.method ?? "GET"} ${path} answered ${response.status}: ${body.detail ?? body.title ?? ""}`);
  }

  return {
    async post(articles) {
      const init = {
        method: "POST",
        headers: { authorization: `Bearer ${ingestToken}`, "content-type": "application/json" },
        body: JSON.stringify({ articles }),
      };
      const results = records((await call("/v1/ingest/articles", init, [202, 409])).results);
      const conflicts = new Set(results.filter((r) => r.status === "conflict").map((r) => r.external_id));
      if (conflicts.size > 0) {
        const rest = await this.post(articles.filter((article) => !conflicts.has(article.external_id)));
        return { ...rest, counts: { ...rest.counts, conflict: conflicts.size } };
      }
      const posted: Posted = { counts: {}, ids: new Map() };
      for (const { status, external_id, article_id } of results) {
        posted.counts[String(status)] = (posted.counts[String(status)] ?? 0) + 1;
        if (typeof article_id === "number") posted.ids.set(String(external_id), article_id);
      }
      return posted;
    },
    async state(articleId) {
      return String((await call(`/v1/articles/${articleId}`, { headers: reader }, [200])).state);
    },
    async search(params) {
      const body = await call(`/v1/search?${new URLSearchParams(params)}`, { headers: reader }, [200]);
      return { hits: records(body.results).map(toHit), tookMs: Number(record(body.meta).took_ms) };
    },
  };
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
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}
