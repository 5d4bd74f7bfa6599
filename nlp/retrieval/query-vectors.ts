import type { Embedder } from "@isnad/lib/inference";

/** Embeds queries, remembering the latest `size` of them. A failed call is not remembered. */
export function queryVectors(
  embedder: Pick<Embedder, "embed">,
  { size = 1000 }: { size?: number } = {},
): (text: string, signal: AbortSignal) => Promise<Float32Array> {
  const kept = new Map<string, Float32Array>();
  return async (text, signal) => {
    const known = kept.get(text);
    if (known !== undefined) {
      kept.delete(text);
      kept.set(text, known);
      return known;
    }
    const [vector] = await embedder.embed([text], "query", signal);
    if (vector === undefined) throw new Error("the embedder returned no vector");
    kept.set(text, vector);
    if (kept.size > size) {
      for (const [oldest] of kept) {
        kept.delete(oldest);
        break;
      }
    }
    return vector;
  };
}
