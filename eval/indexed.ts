import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@isnad/lib/models";
import {
  type Branches,
  embedAcross,
  openKeyword,
  type ReadableQuery,
  type VectorHit,
  type VectorSearch,
} from "@isnad/lib/search";
import { type Engines, loadConfig } from "@isnad/lib/service/config";
import { at } from "@isnad/lib/std";
import { chunkText } from "@isnad/lib/text";
import { openSearchClient } from "../lib/search/opensearch/client.ts";
import { openSearchVectors, openSearchVectorSink } from "../lib/search/opensearch/vector-index.ts";
import { type ChunkChange, VectorEngine } from "../lib/search/vector/engine.ts";
import type { Collection } from "./retrieval-sets.ts";

/** Documents written, or texts embedded, at a time. */
const BATCH = 500;

/** Time for the vector of a query, in milliseconds. */
const EMBED_MS = 60_000;

/** What filters look at, the same for all. */
const ARTICLE = { lang: null, sourceId: "eval", categoryId: null, domain: "eval.example", publishedAt: null };

/** What stands for the database: nothing changes while a collection is measured. */
const NO_STORE = { sources: { list: async () => [] } };

/** The engines that the environment sets, in indexes of their own: what they hold is thrown away. */
function evalEngines(): Engines {
  const prefix = `${process.env.ENGINE_PREFIX ?? "isnad"}-eval`;
  return loadConfig({ ...process.env, ENGINE_PREFIX: prefix }).engines;
}

/** A collection under both branches. The article id of a document is its place in the collection, from 1. */
export type Indexed = AsyncDisposable & {
  branches: Branches;
  /** The nearest articles by comparing every vector, where the vector branch asks an engine that does not. */
  exact?: ((text: string, k: number) => Promise<VectorHit[]>) | undefined;
};

/**
 * Indexes a collection as the platform does, in the engines that the environment sets; the chunks of the embedded
 * vector engine are scanned exactly instead of linked into a graph. With no `embedder` the vector branch finds nothing.
 */
export async function indexCollection(
  { documents }: Pick<Collection, "documents">,
  embedder?: Pick<Embedder, "embed" | "dims">,
): Promise<Indexed> {
  const engines = evalEngines();
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  const index = await openKeyword({ engine: engines.keyword, store: NO_STORE, dir });
  await index.reset();
  const engine = embedder && (await vectorsOf(engines.vectors, embedder.dims));
  for (let from = 0; from < documents.length; from += BATCH) {
    const batch = documents.slice(from, from + BATCH);
    await index.upsert(
      batch.map(({ title, text }, i) => ({
        ...ARTICLE,
        articleId: from + i + 1,
        title,
        content: text,
        tier: 3,
      })),
    );
    if (embedder === undefined || engine === undefined) continue;
    const cut = batch.flatMap(({ title, text }, i) =>
      chunkText(title, text).map((chunk) => ({ ...chunk, articleId: from + i + 1 })),
    );
    const made = await embedder.embed(
      cut.map(({ text }) => text),
      "passage",
    );
    engine.add(
      cut.map(({ articleId, no, start, end }, i) => {
        const chunk = { articleId, chunkNo: no, start, end, vector: at(made, i) };
        return { ...ARTICLE, kind: "upsert" as const, ...chunk };
      }),
    );
  }
  await index.complete();
  const vectors = await engine?.ready();
  const across =
    embedder &&
    embedAcross(
      (texts, signal) => embedder.embed(texts, "query", signal),
      (query) => index.reading(query),
      { translationMs: EMBED_MS },
    );
  const embed = async (query: ReadableQuery) => across?.(query, AbortSignal.timeout(EMBED_MS));
  return {
    branches: {
      keyword: (query) => index.search(query),
      reading: (query) => index.reading(query),
      supports: (query, articleIds) => index.supports(query, articleIds),
      ...(index.lackingBegun && { lackingBegun: index.lackingBegun }),
      allowed: (query, articleIds) => index.allowed(query, articleIds),
      async vector(query, k) {
        const vector = await embed(query);
        const hits = vectors === undefined || vector === undefined ? [] : await nearestArticles(vectors, vector, k);
        return { hits, candidates: documents.length };
      },
    },
    exact:
      engine?.exact &&
      (async (text, k) => {
        const vector = await embed({ text });
        return vector === undefined || engine.exact === undefined ? [] : await nearestArticles(engine.exact, vector, k);
      }),
    async [Symbol.asyncDispose]() {
      await index.close();
      await vectors?.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The `k` articles with the nearest chunks, each once, with that chunk. */
async function nearestArticles(
  vectors: Pick<VectorSearch, "search">,
  query: Float32Array,
  k: number,
): Promise<VectorHit[]> {
  const { articleIds, scores, chunks } = await vectors.search(query, k, {});
  return Array.from(articleIds, (articleId, i) => {
    const [chunkNo = 0, start = 0, end = 0] = chunks.subarray(3 * i, 3 * i + 3);
    return { articleId, score: at(scores, i), chunkNo, start, end };
  });
}

type NewChunk = Extract<ChunkChange, { kind: "upsert" }>;

/** A vector engine that is filled first, and then searched. */
type Filling = {
  add(chunks: readonly NewChunk[]): void;
  ready(): Promise<Pick<VectorSearch, "search" | "close">>;
  /** Compares every vector, where the engine itself does not. */
  exact?: Pick<VectorSearch, "search">;
};

async function vectorsOf(engine: Engines["vectors"], dims: number): Promise<Filling> {
  const vectors = new VectorEngine(dims);
  const apply = (chunks: readonly NewChunk[]) => void vectors.apply(chunks, 0);
  const exact: Pick<VectorSearch, "search"> = {
    search: async (vector, k, filters) => vectors.search(vector, k, filters),
  };
  if (engine.engine === "usearch") return { add: apply, ready: async () => ({ ...exact, close: async () => {} }) };
  const modelId = "eval";
  const added: NewChunk[] = [];
  return {
    exact,
    add(chunks) {
      apply(chunks);
      added.push(...chunks);
    },
    async ready() {
      const search = openSearchClient(engine.server);
      const read = async (entries: readonly { key: number }[]): Promise<ChunkChange[]> => {
        const keys = new Set(entries.map(({ key }) => key));
        const gone = [...keys].map((articleId): ChunkChange => ({ kind: "delete", articleId }));
        return [...gone, ...added.filter(({ articleId }) => keys.has(articleId))];
      };
      const sink = openSearchVectorSink({ search, read, modelId, dims, logger: SILENT });
      await sink.reset();
      const keys = [...new Set(added.map(({ articleId }) => articleId))];
      for (let from = 0; from < keys.length; from += BATCH) {
        const batch = keys.slice(from, from + BATCH);
        await sink.apply(batch.map((key) => ({ key, articleId: key, deleted: false })));
      }
      await sink.complete();
      return openSearchVectors({ search, modelId, dims, tiers: async () => new Map() });
    },
  };
}

const SILENT = { info() {}, warn() {}, error() {} };
