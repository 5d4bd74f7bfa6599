import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@isnad/lib/service/config";
import type { Service } from "@isnad/lib/service/http";
import { NOT_LOADED } from "@isnad/lib/models";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { type KeywordIndex, matchesFilters, openKeywordIndex } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { openStore, type Store } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { KEYWORD_FIELDS, keywordDocs } from "@isnad/lib/search/sync";
import { ArticleTable } from "../../lib/search/vector/articles.ts";
import { createApp } from "./app.ts";
import { articleKeys } from "./documents.ts";
import type { RetrievalDeps } from "./deps.ts";

/** An article for tests; its meaning is one of a few axes, so that the nearest ones are known. */
export type TestArticle = {
  title: string;
  content: string;
  axis: number;
  lang?: "ar" | "en";
  sourceId?: string;
  domain?: string;
  categoryId?: string;
  publishedAt?: string;
  authors?: string[];
};

/** The service over a database and a keyword index of its own. A query `axis:N …` means axis N. */
export type TestRetrieval = Service & {
  ids: number[];
  store: Store;
  /** Says where the database is. */
  url: string;
  keyword: KeywordIndex;
  /** Lets another service answer `get` and `post`, as after a restart. */
  restart(): void;
  /** Makes the vector branch fail. */
  breakVectors(broken: boolean): void;
  /** Stores what the model made of articles, by their places among those given. */
  read(modelId: string, vectors: ReadonlyMap<number, readonly Int8Array[]>): Promise<void>;
  get(path: string): Promise<{ status: number; body: Record<string, unknown> }>;
  post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  retrieve(body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  close(): Promise<void>;
};

/**
 * Makes the service with these articles in Postgres and in the keyword index; without a reranker where none is given.
 */
export async function testRetrieval(
  articles: readonly TestArticle[],
  {
    reranker = NOT_LOADED,
    classifier = NOT_LOADED,
    claims = { match: async () => [] },
    threads,
    env = {},
  }: Partial<Pick<RetrievalDeps, "reranker" | "classifier" | "claims" | "threads">> & {
    env?: Record<string, string>;
  } = {},
): Promise<TestRetrieval> {
  const database = await testDatabase();
  const store = openStore(database.url);
  const dir = await mkdtemp(join(tmpdir(), "isnad-retrieval-"));
  const keyword = await openKeywordIndex({ dir, partial: true });
  const items = articles.map(({ axis: _axis, ...article }) => testItem(article));
  const ids = await admitItems(store, items);
  const stored = await store.articles.byIds(ids, KEYWORD_FIELDS);
  const inOrder = ids.flatMap((id) => stored.filter(({ articleId }) => articleId === id));
  const rows = keywordDocs(inOrder, new Map());
  await keyword.upsert(rows);

  let broken = false;
  const axes = articles.map((article) => article.axis);
  const table = new ArticleTable();
  rows.forEach((row) => {
    table.put(row.articleId, row);
  });
  const vectors: RetrievalDeps["vectors"] = {
    searchChunks: async (vector, k, conditions) => {
      if (broken) throw new Error("still loading");
      const meeting = table.meeting(conditions);
      const near = rows
        .map((row, i) => ({ row, i, score: at(vector, at(axes, i)) }))
        .filter(({ i, score }) => score > 0 && meeting?.[i] !== 0)
        .slice(0, k);
      return {
        candidates: near.length,
        articleIds: Float64Array.from(near, ({ row }) => row.articleId),
        scores: Float64Array.from(near, ({ score }) => score),
        chunks: Int32Array.from(near.flatMap((_, i) => [i, 0, 60])),
      };
    },
    check: async () => (broken ? Promise.reject(new Error("still loading")) : undefined),
    search: async (vector, k, filters) => {
      if (broken) throw new Error("still loading");
      const near = rows
        .map((row, i) => ({ row, score: at(vector, at(axes, i)) }))
        .filter(({ row, score }) => score > 0 && matchesFilters(row, filters));
      const found = near.slice(0, k);
      return {
        candidates: near.length,
        articleIds: Float64Array.from(found, ({ row }) => row.articleId),
        scores: Float64Array.from(found, ({ score }) => score),
        chunks: Int32Array.from(found.flatMap(() => [0, 0, 60])),
      };
    },
  };
  const embedder = {
    embed: async (texts: readonly string[]) =>
      texts.map((text) => {
        const vector = new Float32Array(8);
        const axis = /axis:(\d)/.exec(text)?.[1];
        if (axis !== undefined) vector[Number(axis)] = 1;
        return vector;
      }),
  };
  const deps: RetrievalDeps = {
    config: loadConfig(env),
    logger: createLogger({ service: "retrieval", level: "fatal" }),
    metrics: createMetrics(),
    store,
    keyword,
    vectors,
    followers: [],
    embedder: { model: embedder },
    classifier,
    claims,
    reranker,
    taxonomyVersion: "test.1",
    threads: threads ?? (() => ({ keyword: keyword.threads() })),
  };
  let service = createApp(deps);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await service.app.request(path, init);
    const body: Record<string, unknown> = JSON.parse(await response.text());
    return { status: response.status, body };
  };
  const post: TestRetrieval["post"] = (path, body) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    ...service,
    ids,
    store,
    url: database.url,
    keyword,
    restart: () => {
      service = createApp({ ...deps, metrics: createMetrics() });
    },
    breakVectors: (value) => {
      broken = value;
    },
    async read(modelId, read) {
      await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
      const indexed = ids.map((articleId) => ({ articleId, chunks: [] }));
      await store.indexing.commit(indexed, { modelId: undefined });
      const batch = Array.from(read, ([place, vectors]) => ({ articleId: at(ids, place), vectors }));
      await store.rerank.put(batch, { modelId });
    },
    get: (path) => ask(path),
    post,
    retrieve: (body) => post("/retrieve", body),
    close: async () => {
      await keyword.close();
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true });
    },
  };
}

/** The keys under which indexes hold these articles, in their order. */
export async function testKeys(store: Pick<Store, "articles">, ids: readonly number[]): Promise<number[]> {
  const keys = await articleKeys(store, ids);
  return ids.map((id) => keys.get(id) ?? 0);
}
