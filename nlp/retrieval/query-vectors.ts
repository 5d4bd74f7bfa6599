import type { Embedder } from "@isnad/lib/inference";
import { BoundedMap } from "@isnad/lib/std";

/** The vector of a query, of length 1. Throws what the embedder throws. */
export type QueryVectors = (text: string, signal: AbortSignal) => Promise<Float32Array>;

/** Embeds queries, remembering about the latest `size` of them. A failed call is not remembered. */
export function queryVectors(embedder: Pick<Embedder, "embed">, { size = 1000 }: { size?: number } = {}): QueryVectors {
  const kept = new BoundedMap<string, Float32Array>(size);
  return async (text, signal) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const [vector] = await embedder.embed([text], "query", signal);
    if (vector === undefined) throw new Error("the embedder returned no vector");
    kept.set(text, vector);
    return vector;
  };
}
