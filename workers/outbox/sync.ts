import type { Embedder } from "@isnad/lib/models";
import type { KeywordIndex } from "@isnad/lib/search";
import { errorMessage } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import { embedMissing, type KeywordWriter } from "@isnad/lib/search/sync";
import type { Consumer, Failure } from "./relay.ts";

/** What the built-in consumer needs. */
export type SyncDeps = {
  store: Pick<Store, "articles" | "chunks" | "indexing">;
  keyword: Pick<KeywordIndex, "missing">;
  writer: Pick<KeywordWriter, "sync" | "remove">;
  /** Without an embedder no passages are made here; the workers catch up on them once they start with one. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
};

/**
 * The built-in consumer: makes sure that the indexes follow. A deleted article leaves the keyword index (its vectors
 * left with the transaction that deleted it); an indexed one is in the keyword index and has passages of the current
 * model. A revision is nothing to it: what is searched is the article as it was stored.
 */
export function syncConsumer({ store, keyword, writer, embedder }: SyncDeps): Consumer {
  return {
    name: "sync",
    batch: 500,
    async deliver(events): Promise<Failure[]> {
      const deleted = events.filter(({ type }) => type === "article.deleted").map(({ articleId }) => articleId);
      await writer.remove(deleted);
      const upserted = events.filter(({ type }) => type === "article.upserted");
      const ids = upserted.map(({ articleId }) => articleId);
      await writer.sync(await keyword.missing(ids));
      if (embedder === undefined) return [];
      const { broken } = await embedMissing({ store, embedder }, await store.chunks.without(embedder.modelId, ids));
      const reasons = new Map(broken.map(({ articleId, error }) => [articleId, error]));
      return upserted.flatMap(({ id, articleId }) => {
        const error = reasons.get(articleId);
        return error === undefined ? [] : [{ id, reason: errorMessage(error) }];
      });
    },
  };
}
