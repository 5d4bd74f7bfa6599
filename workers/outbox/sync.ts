import type { Embedder } from "@isnad/lib/models";
import { embedMissing } from "@isnad/lib/search/sync";
import { errorMessage } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import type { Consumer, Failure } from "./relay.ts";

/** What the built-in consumer needs. */
export type SyncDeps = {
  store: Pick<Store, "articles" | "chunks" | "indexing">;
  /** Without an embedder no passages are made here; the workers catch up on them once they start with one. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
};

/**
 * The built-in consumer: an article that a worker without this embedding model has indexed gets its passages. A
 * deletion or a revision is nothing to it.
 */
export function syncConsumer({ store, embedder }: SyncDeps): Consumer {
  return {
    name: "sync",
    batch: 500,
    async deliver(events): Promise<Failure[]> {
      if (embedder === undefined) return [];
      const upserted = events.filter(({ type }) => type === "article.upserted");
      const ids = upserted.flatMap(({ articleId }) => articleId ?? []);
      const { broken } = await embedMissing({ store, embedder }, await store.chunks.without(embedder.modelId, ids));
      const reasons = new Map(broken.map(({ articleId, error }) => [articleId, error]));
      return upserted.flatMap(({ id, articleId }) => {
        const error = articleId === null ? undefined : reasons.get(articleId);
        return error === undefined ? [] : [{ id, reason: errorMessage(error) }];
      });
    },
  };
}
