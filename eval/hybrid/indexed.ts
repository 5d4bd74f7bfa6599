import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@isnad/lib/inference";
import { type Branches, openKeywordIndex, type VectorHit } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { chunkText } from "@isnad/lib/text";
import { VectorEngine } from "../../lib/search/vector/engine.ts";
import type { Collection } from "../keyword/collection.ts";

/** Documents written, or texts embedded, at a time. */
const BATCH = 500;

/** What filters look at, the same for all. */
const ARTICLE = { lang: null, sourceId: "eval", categoryId: null, domain: "eval.example", publishedAt: null };

/** A collection under both branches. The article id of a document is its place in the collection, from 1. */
export type Indexed = AsyncDisposable & { branches: Branches };

/**
 * Indexes a collection as the platform does: the keyword index and the vector engine of production, its chunks
 * scanned exactly instead of linked into a graph. With no `embedder` the vector branch finds nothing.
 */
export async function indexCollection(
  { documents }: Pick<Collection, "documents">,
  embedder?: Pick<Embedder, "embed" | "dims">,
): Promise<Indexed> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  const index = await openKeywordIndex({ dir, mode: "write" });
  const engine = embedder && new VectorEngine(embedder.dims);
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
    const vectors = await embedder.embed(
      cut.map(({ text }) => text),
      "passage",
    );
    engine.apply(
      cut.map(({ articleId, no, start, end }, i) => {
        const chunk = { articleId, chunkNo: no, start, end, vector: at(vectors, i) };
        return { ...ARTICLE, kind: "upsert" as const, seq: 0, chunkId: 0, ...chunk };
      }),
      0,
    );
  }
  return {
    branches: {
      keyword: (query) => index.search(query),
      title: async (articleId) => documents[articleId - 1]?.title,
      async vector(text, k) {
        const [vector] = (await embedder?.embed([text], "query")) ?? [];
        const hits = engine === undefined || vector === undefined ? [] : nearestArticles(engine, vector, k);
        return { hits, candidates: documents.length };
      },
    },
    async [Symbol.asyncDispose]() {
      await index.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The `k` articles with the nearest chunks, each once, with that chunk. */
function nearestArticles(engine: VectorEngine, query: Float32Array, k: number): VectorHit[] {
  const { articleIds, scores, chunks } = engine.search(query, k, {});
  return Array.from(articleIds, (articleId, i) => {
    const [chunkNo = 0, start = 0, end = 0] = chunks.subarray(3 * i, 3 * i + 3);
    return { articleId, score: at(scores, i), chunkNo, start, end };
  });
}
