import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@isnad/lib/inference";
import { type Branches, openKeywordIndex, type VectorHit } from "@isnad/lib/search";
import { chunkText } from "@isnad/lib/text";
import { dot } from "../embed/ranking.ts";
import type { Collection } from "../keyword/collection.ts";

/** Documents written, or texts embedded, at a time. */
const BATCH = 500;

/** A collection under both branches. The article id of a document is its place in the collection, from 1. */
export type Indexed = { branches: Branches; close(): Promise<void> };

type Chunk = { articleId: number; chunkNo: number; start: number; end: number; vector: Float32Array };

/**
 * Indexes a collection as the platform does: the keyword index of production, and its chunks' vectors, searched
 * exactly. With no `embedder` the vector branch finds nothing.
 */
export async function indexCollection(
  { documents }: Pick<Collection, "documents">,
  embedder?: Pick<Embedder, "embed">,
): Promise<Indexed> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  const index = await openKeywordIndex({ dir, mode: "write" });
  const chunks: Chunk[] = [];
  for (let at = 0; at < documents.length; at += BATCH) {
    const batch = documents.slice(at, at + BATCH);
    await index.upsert(
      batch.map(({ title, text }, i) => ({
        articleId: at + i + 1,
        title,
        content: text,
        lang: null,
        sourceId: "eval",
        categoryId: null,
        domain: "eval.example",
        tier: 3,
        publishedAt: null,
      })),
    );
    if (embedder === undefined) continue;
    const cut = batch.flatMap(({ title, text }, i) =>
      chunkText(title, text).map((chunk) => ({ ...chunk, articleId: at + i + 1 })),
    );
    const vectors = await embedder.embed(
      cut.map(({ text }) => text),
      "passage",
    );
    cut.forEach(({ articleId, no, start, end }, i) => {
      chunks.push({ articleId, chunkNo: no, start, end, vector: vectors[i] ?? new Float32Array() });
    });
  }
  return {
    branches: {
      keyword: (query) => index.search(query),
      async vector(text, k) {
        const [vector] = embedder === undefined ? [] : await embedder.embed([text], "query");
        const hits = vector === undefined ? [] : nearestArticles(vector, chunks, k);
        return { hits, candidates: documents.length };
      },
    },
    async close() {
      await index.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The `k` articles with the nearest chunks, each once, with that chunk. */
function nearestArticles(query: Float32Array, chunks: readonly Chunk[], k: number): VectorHit[] {
  const best = new Map<number, VectorHit>();
  for (const { vector, ...place } of chunks) {
    const score = dot(query, vector);
    if (score > (best.get(place.articleId)?.score ?? Number.NEGATIVE_INFINITY)) {
      best.set(place.articleId, { ...place, score });
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, k);
}
