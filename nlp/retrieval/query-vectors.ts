import type { Embedder } from "@isnad/lib/models";
import type { ReadableQuery } from "@isnad/lib/search";
import { BoundedMap } from "@isnad/lib/std";

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
