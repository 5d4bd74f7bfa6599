import type { Embedder } from "../../models/mod.ts";
import type { Store } from "../../store/mod.ts";
import { type Broken, cutPassages, embedPassages } from "./chunk-vectors.ts";

/** What a re-embedding works on, and how it is watched and stopped. */
export type ReembedOptions = {
  store: Pick<Store, "articles" | "chunks" | "indexing">;
  embedder: Pick<Embedder, "embed" | "modelId">;
  signal?: AbortSignal;
  onProgress?(embedded: number): void;
  /** Articles embedded at a time (100). */
  batch?: number;
};

/**
 * Gives every indexed article that has no passages of the embedder's model these passages. What other models made
 * stays, so that searches go on with the old model meanwhile. May be cut short at any moment: the next run does what is
 * left. Returns the number of articles embedded and those that could not be. Rejects with the signal's reason, or as
 * the embedder does.
 */
export async function reembed(options: ReembedOptions): Promise<{ embedded: number; broken: Broken[] }> {
  const { store, embedder, signal, onProgress, batch = 100 } = options;
  const broken: Broken[] = [];
  let embedded = 0;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const ids = await store.chunks.lacking(embedder.modelId, { afterId: after, limit: batch });
    const last = ids.at(-1);
    if (last === undefined) return { embedded, broken };
    const done = await embedMissing(options, ids);
    broken.push(...done.broken);
    embedded += done.embedded;
    onProgress?.(embedded);
    after = last;
  }
}

/** Embeds these articles, whatever passages they have. */
export async function embedMissing(
  { store, embedder, signal }: Pick<ReembedOptions, "store" | "embedder" | "signal">,
  ids: readonly number[],
): Promise<{ embedded: number; broken: Broken[] }> {
  if (ids.length === 0) return { embedded: 0, broken: [] };
  const rows = await store.articles.byIds(ids, ["articleId", "title", "content", "lang"]);
  const { articles, broken } = await cutPassages(rows);
  const indexed = await embedPassages(embedder, articles, signal);
  const updated = await store.indexing.commit(indexed, { modelId: embedder.modelId });
  return { embedded: updated.length, broken };
}
