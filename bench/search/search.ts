import process from "node:process";
import { loadConfig } from "@isnad/lib/config";
import { createLogger, createMetrics } from "@isnad/lib/process";
import { createApp } from "../../nlp/retrieval/app.ts";
import { NOT_LOADED } from "../../lib/inference/models/optional.ts";
import { dataFolder } from "../../eval/embed/data.ts";
import { type Figure, interleaved, median, quantile } from "../rounds.ts";
import { besideOthers } from "./beside.ts";
import { type NewsCorpus, newsCorpus } from "./news-corpus.ts";
import { rawBm25 } from "./raw-bm25.ts";

const K = 10;
const CLIENTS = 8;
const FIELDS = { title: 3, content: 1 };

/**
 * The keyword index beside other engines; then searches of the service over the whole news, warm, against what they
 * stand on: the bm25 statement alone, and the slower branch plus one fetch. BENCH_ARTICLES sets the size (53,000).
 */
export async function search(rounds: number): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("search: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const beside = await besideOthers(folder, rounds);
  const corpus = await newsCorpus(folder, Number(process.env.BENCH_ARTICLES ?? 53_000));
  try {
    return [...beside, ...(await measure(corpus, rounds))];
  } finally {
    await corpus.close();
  }
}

async function measure(corpus: NewsCorpus, rounds: number): Promise<Figure[]> {
  const { store, keyword, vectors, embedder, queries } = corpus;
  const { app } = createApp({
    config: loadConfig({ APP_ENV: "local" }),
    logger: createLogger({ service: "bench", level: "silent" }),
    metrics: createMetrics(),
    store,
    keyword,
    vectors,
    embedder: { model: embedder },
    classifier: NOT_LOADED,
    reranker: NOT_LOADED,
    taxonomyVersion: "",
    threads: () => ({ keyword: keyword.threads() }),
  });
  const get = async (mode: string, q: string) => {
    const response = await app.request(`/search?${new URLSearchParams({ mode, q, limit: String(K) })}`);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const branches = {
    keyword: (text: string) => keyword.search({ text, fields: FIELDS, limit: K }),
    vector: async (text: string) => {
      const [vector = new Float32Array()] = await embedder.embed([text], "query");
      return vectors.search(vector, K, {});
    },
  };
  const raw = await rawBm25(store);
  const found = await Promise.all(queries.map((text) => branches.keyword(text)));
  const fetch = (i: number) =>
    store.articles.byIds(
      (found[i] ?? []).map((hit) => hit.articleId),
      ["articleId", "title", "content", "url", "sourceId", "lang", "categoryId", "publishedAt", "docId"],
    );
  const each = (run: (q: string, i: number) => unknown) => async () => {
    for (const [i, q] of queries.entries()) await run(q, i);
  };
  const times = await interleaved(
    [
      {
        name: "raw",
        run: each((q) => raw.search(q, K)),
      },
      { name: "keyword", run: each(branches.keyword) },
      { name: "vector", run: each(branches.vector) },
      { name: "fetch", run: each((_, i) => fetch(i)) },
      { name: "bm25", run: each((q) => get("bm25", q)) },
      { name: "hybrid", run: each((q) => get("hybrid", q)) },
    ],
    { rounds: Math.min(rounds, 5), warmup: 1 },
  );
  raw.close();
  const ms = (name: string) => median(times.get(name) ?? []) / queries.length;
  const latencies: number[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = 0; i < queries.length; i++) {
        const start = performance.now();
        await get("hybrid", queries[(i * CLIENTS + client * 37) % queries.length] ?? "");
        latencies.push(performance.now() - start);
      }
    }),
  );
  const slower = Math.max(ms("keyword"), ms("vector"));
  const over = `${queries.length} queries over ${corpus.articles} articles`;
  return [
    {
      name: "keyword branch / raw bm25 statement",
      value: ms("keyword") / ms("raw"),
      bound: { atMost: 1.25 },
      detail: `${ms("keyword").toFixed(2)} / ${ms("raw").toFixed(2)} ms, ${over}`,
    },
    {
      name: "keyword search with snippets / raw",
      value: ms("bm25") / ms("raw"),
      bound: { atMost: 3 },
      detail: `${ms("bm25").toFixed(2)} / ${ms("raw").toFixed(2)} ms`,
    },
    {
      name: "hybrid / (slower branch + one fetch)",
      value: ms("hybrid") / (slower + ms("fetch")),
      bound: { atMost: 1.3 },
      detail: `${ms("hybrid").toFixed(2)} / (${slower.toFixed(2)} + ${ms("fetch").toFixed(2)}) ms; keyword ${ms("keyword").toFixed(2)}, vector ${ms("vector").toFixed(2)} ms`,
    },
    {
      name: `GET /search p99 under ${CLIENTS} clients, ms`,
      value: quantile(latencies, 0.99),
      bound: { atMost: 250 },
      detail: `median ${median(latencies).toFixed(1)} ms, hybrid, service alone`,
    },
  ];
}
