import type { Embedder, OptionalModel, Passage } from "@isnad/lib/models";
import type { Branches, ReadableQuery, VectorHit, VectorSearch } from "@isnad/lib/search";
import { BoundedMap } from "@isnad/lib/std";
import { articleIdOfKey } from "@isnad/lib/store";
import { queryTerms } from "@isnad/lib/text";
import { installed, type RerankStore, type RetrievalDeps, type VectorHits, type Vectors } from "./deps.ts";
import type { Documents } from "./documents.ts";
import { passageOf } from "./rerank/rerank.ts";

/** The vector of a query, of length 1. Throws what the embedder throws. */
export type QueryVector = (query: ReadableQuery, signal: AbortSignal) => Promise<Float32Array>;

/** Vectors of texts that are asked for, in order, each of length 1. Throws what the embedder throws. */
type QueryVectors = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/** Embeds queries, remembering about the latest `size` of them. A failed call is not cached. */
export function queryVectors(embedder: Pick<Embedder, "embed">, { size = 1000 }: { size?: number } = {}): QueryVectors {
  const kept = new BoundedMap<string, Float32Array>(size);
  return async (texts, signal) => {
    const known = texts.map((text) => kept.get(text));
    const others = texts.filter((_, i) => known[i] === undefined);
    const made = others.length === 0 ? [] : await embedder.embed(others, "query", signal);
    for (const [i, text] of others.entries()) {
      const vector = made[i];
      if (vector === undefined) throw new Error("the embedder returned no vector");
      kept.set(text, vector);
    }
    return known.map((vector) => vector ?? made.shift()).filter((vector) => vector !== undefined);
  };
}

/** Matches a character that can mean something: a text without any is near to no article. */
export const WORD = /[\p{L}\p{N}]/u;

/** Both branches over the indexes of this process. A query without a letter or digit finds nothing in either. */
export function createBranches(
  deps: Pick<RetrievalDeps, "keyword" | "vectors"> & LikenessDeps,
  embed: QueryVector,
): Branches {
  const { keyword, vectors } = deps;
  const { lackingBegun } = keyword;
  return {
    async *likeness(query, hits, signal) {
      const { text } = await keyword.reading(query);
      yield* likenessOf(deps, text, { hits, signal });
    },
    keyword: (query) => keyword.search(query),
    reading: (query) => keyword.reading(query),
    supports: (query, articleIds) => keyword.supports(query, articleIds),
    ...(lackingBegun && { lackingBegun }),
    allowed: (query, articleIds) => keyword.allowed(query, articleIds),
    async vector(query, k, filters, signal) {
      if (!WORD.test(query.text)) return { hits: [], candidates: 0 };
      const vector = await embed(query, signal);
      const found = await vectors.search(vector, k, filters);
      return { hits: rows(found), candidates: found.candidates };
    },
  };
}

type LikenessDeps = Pick<RetrievalDeps, "reranker"> & { store: RerankStore; documents: Documents };

/**
 * Tells how alike a text and each of these neighbours are, by the vectors that articles were read to beforehand; one
 * that was not read yet is read once it is asked for. Nothing without a model that can tell.
 */
async function* likenessOf(
  { reranker: { model }, store, documents }: LikenessDeps,
  text: string,
  { hits, signal }: { hits: readonly VectorHit[]; signal: AbortSignal },
): AsyncGenerator<number> {
  if (model?.likeness === undefined) return;
  const vectorsOf = await store.rerank.vectorsOf(
    hits.map(({ articleId }) => articleIdOfKey(articleId)),
    model,
  );
  const terms = queryTerms(text);
  const read = (hit: VectorHit | undefined) => hit !== undefined && vectorsOf.has(articleIdOfKey(hit.articleId));
  for (let from = 0, to = 0; from < hits.length; from = to) {
    // Those that were read are told together: only the query is read for them.
    do to++;
    while (read(hits[to - 1]) && read(hits[to]));
    const told = hits.slice(from, to);
    const unread = told.filter((hit) => !read(hit)).map(({ articleId }) => articleId);
    const found = unread.length === 0 ? [] : await documents.byKeys(unread);
    const texts = new Map(found.map((document) => [document.key, document]));
    const passages = told.map((hit): Passage => {
      const document = texts.get(hit.articleId);
      return {
        title: document?.title ?? "",
        text: document === undefined ? "" : passageOf(document, terms, hit),
        vectors: vectorsOf.get(articleIdOfKey(hit.articleId)),
      };
    });
    yield* await model.likeness(text, passages, { signal });
  }
}

function rows({ articleIds, scores, chunks }: VectorHits): VectorHit[] {
  const hits: VectorHit[] = [];
  // Ten times as fast as with at().
  for (let i = 0; i < articleIds.length; i++) {
    hits.push({
      articleId: articleIds[i] ?? 0,
      score: scores[i] ?? 0,
      chunkNo: chunks[3 * i] ?? 0,
      start: chunks[3 * i + 1] ?? 0,
      end: chunks[3 * i + 2] ?? 0,
    });
  }
  return hits;
}

/**
 * Returns what stands for the vector index where there is no embedding model: every call rejects with what {@link
 * installed} throws.
 */
export function noVectors(
  embedder: OptionalModel<unknown>,
): Vectors & Pick<VectorSearch, "status" | "close" | "follower"> & { threads(): undefined } {
  const refuse = async (): Promise<never> => {
    installed(embedder);
    throw new TypeError("there is an embedding model");
  };
  return {
    search: refuse,
    searchChunks: refuse,
    check: refuse,
    status: refuse,
    threads: () => undefined,
    close: async () => {},
  };
}
