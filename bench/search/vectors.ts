import process from "node:process";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import type { KeywordIndex, VectorIndex } from "@isnad/lib/search";
import type { Store } from "@isnad/lib/store";
import { chunkText } from "@isnad/lib/text";
import { dataFolder, readJsonLines } from "../../eval/retrieval-sets.ts";
import { quantizeQuery } from "../../lib/search/vector/codes.ts";
import { VectorEngine } from "../../lib/search/vector/engine.ts";
import { exactSearch } from "../../lib/search/vector/exact.ts";
import { type Figure, median, quantile } from "../rounds.ts";

/** News in a database of its own, found by both branches, and what to ask of it. */
export type NewsCorpus = {
  store: Store;
  keyword: KeywordIndex;
  vectors: VectorIndex;
  embedder: Embedder;
  articles: number;
  /** Beginnings of titles, each once; some hundred in a row are of articles from all over the corpus. */
  queries: string[];
  /** Says where all this is, for services as processes. */
  env: { DATA_DIR: string; DATABASE_URL: string };
  close(): Promise<void>;
};

/** A passage of an article with its vector, and where the article stands. */
type NewsChunk = { articleId: number; vector: Float32Array; lang: string; sourceId: string };

/** Vectors of real news: passages of articles, and titles as what is asked. */
type NewsVectors = { modelId: string; dims: number; chunks: NewsChunk[]; titles: Float32Array[] };

const FILES = [
  { name: "ant_v2_ar", lang: "ar" },
  { name: "english", lang: "en" },
  { name: "ant_v1_ar", lang: "ar" },
] as const;

/** Short passages, so that the articles at hand give enough of them. */
const MAX_WORDS = 120;

const VECTOR_BATCH = 256;

/**
 * Embeds passages of the news in `folder` with the default model until there are `count`, in the order of the files, so
 * that topics and languages come in runs as they do when archives are imported. The title of one article in fifty is
 * kept as a query.
 */
async function newsVectors(folder: string, count: number): Promise<NewsVectors> {
  const embedder = await createEmbedder({ registry: openRegistry() });
  try {
    const { modelId, dims } = embedder;
    const chunks: NewsChunk[] = [];
    const titles: string[] = [];
    let articleId = 0;
    for (const { name, lang } of FILES) {
      const texts: string[] = [];
      const owners: Omit<NewsChunk, "vector">[] = [];
      for (const row of readJsonLines(`${folder}/news/${name}.jsonl`)) {
        if (chunks.length + texts.length >= count) break;
        const title = String(row.title ?? "");
        const body = String(row.text ?? "").replace(/\s+/g, " ");
        articleId++;
        if (articleId % 50 === 0 && title.length > 20) titles.push(title);
        for (const { text } of chunkText(title, body, { maxWords: MAX_WORDS })) {
          texts.push(text);
          owners.push({ articleId, lang, sourceId: String(row.source ?? name) });
        }
      }
      const vectors = await embedAll(embedder, texts, "passage");
      for (const [i, owner] of owners.entries()) chunks.push({ ...owner, vector: vectors[i] ?? new Float32Array() });
    }
    return { modelId, dims, chunks: chunks.slice(0, count), titles: await embedAll(embedder, titles, "query") };
  } finally {
    await embedder.close();
  }
}

async function embedAll(embedder: Embedder, texts: string[], kind: "query" | "passage"): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let i = 0; i < texts.length; i += VECTOR_BATCH) {
    vectors.push(...(await embedder.embed(texts.slice(i, i + VECTOR_BATCH), kind)));
  }
  return vectors;
}

const CHUNKS = 130_000;
const QUERIES = 400;
const K = 10;
/** Brute force in plain JavaScript takes 50 ms a query. */
const EXACT_QUERIES = 40;

/** The vector index over 130,000 passages of real news, asked with titles. */
export async function vectors(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("vectors: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const { chunks, titles, dims } = await newsVectors(folder, CHUNKS);
  const queries = titles.filter((_, i) => i % Math.ceil(titles.length / QUERIES) === 0);
  const before = process.memoryUsage().rss;
  const engine = new VectorEngine(dims);
  for (let at = 0; at < chunks.length; at += 256) {
    engine.apply(chunks.slice(at, at + 256).map(change), at + 256);
  }
  const linking = cpuTime(() => {
    while (engine.link(50));
  });
  while (engine.calibration.step());
  const rss = process.memoryUsage().rss - before;

  let hits = 0;
  for (const query of queries) {
    const exact = new Set(scan(engine, query));
    hits += engine.search(query, K, {}).articleIds.filter((id) => exact.has(id)).length / Math.max(1, exact.size);
  }
  const filters = { lang: "en" };
  const english = chunks.filter((chunk) => chunk.lang === "en");
  const asked = queries.slice(0, EXACT_QUERIES);
  const same = asked.filter((query) => {
    const scores = engine.search(query, K, filters).scores;
    const exactScores = bruteForce(english, query);
    return (
      scores.length === exactScores.length && scores.every((score, i) => Math.abs(score - (exactScores[i] ?? 0)) < 1e-6)
    );
  });
  const { tables, graph } = engine.bytes();
  const perChunk = (bytes: number) => (bytes / chunks.length).toFixed(0);
  const time = (run: (query: Float32Array) => unknown) => {
    const took = queries.map((query) => elapsed(() => run(query)));
    return `median ${median(took).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms`;
  };
  return [
    {
      name: `vector recall@${K} of the exact scan`,
      value: hits / queries.length,
      bound: { atLeast: 0.99 },
      detail: `${queries.length} titles, ${chunks.length} chunks, depth ${engine.calibration.depth ?? "scan"} (measured itself: ${engine.calibration.recall.toFixed(4)}); ${time((query) => engine.search(query, K, {}))}`,
    },
    {
      name: "filtered vector search, share exact",
      value: same.length / asked.length,
      bound: { atLeast: 1 },
      detail: `${english.length} of ${chunks.length} chunks pass: ${time((query) => engine.search(query, K, filters))}`,
    },
    {
      name: "vectors linked, chunks/s of one core",
      value: chunks.length / linking,
      bound: { atLeast: 1500 },
      detail: `memory a chunk: tables ${perChunk(tables)} B, graph about ${perChunk(graph)} B, resident ${perChunk(rss)} B`,
    },
  ];
}

function change(chunk: NewsChunk, i: number) {
  const { articleId, vector, lang, sourceId } = chunk;
  return {
    kind: "upsert" as const,
    seq: 0,
    chunkId: 0,
    articleId,
    // Numbers need only differ within an article.
    chunkNo: i,
    start: 0,
    end: 0,
    vector,
    lang,
    sourceId,
    categoryId: null,
    domain: "news.example",
    publishedAt: null,
  };
}

function scan(engine: VectorEngine, vector: Float32Array): number[] {
  const query = quantizeQuery(vector);
  if (query === undefined) return [];
  const all = { from: 0, to: engine.rows.capacity };
  return exactSearch(engine, [all], query, K).map(({ ordinal }) => engine.articles.articleId(ordinal));
}

/** The scores of the best articles by plain arithmetic on what the store keeps. */
function bruteForce(chunks: readonly NewsChunk[], query: Float32Array): number[] {
  const best = new Map<number, number>();
  const norm = Math.hypot(...query);
  for (const { articleId, vector } of chunks) {
    const kept = Float16Array.from(vector);
    let [product, square] = [0, 0];
    for (let i = 0; i < query.length; i++) {
      const component = kept[i] ?? 0;
      product += component * (query[i] ?? 0);
      square += component * component;
    }
    const score = product / (Math.sqrt(square) * norm);
    if (score > (best.get(articleId) ?? Number.NEGATIVE_INFINITY)) best.set(articleId, score);
  }
  return [...best.values()].sort((a, b) => b - a).slice(0, K);
}

function elapsed(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Seconds of processor time, which other processes do not lengthen. */
function cpuTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
