import type { Store } from "@isnad/lib/store";

/** Which articles are to be read. */
export type EnlistOptions = {
  store: Pick<Store, "rerank">;
  /** The model that reads them. */
  modelId: string;
  signal: AbortSignal;
  /** Articles looked at in one statement (2,000). */
  stretch?: number;
};

/**
 * Puts all indexed articles that have no vectors of the model on the list of those to be read: those that were indexed
 * before there were any, without the setting, or that another model read. Walks all articles by id, one short statement
 * a stretch; cut short, it may begin again. Returns how many were put there.
 */
export async function enlistAll({ store, modelId, signal, stretch: limit = 2_000 }: EnlistOptions): Promise<number> {
  let total = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, enlisted } = await store.rerank.enlist({ afterId, limit, modelId });
    total += enlisted;
    afterId = lastId;
  }
  return total;
}
