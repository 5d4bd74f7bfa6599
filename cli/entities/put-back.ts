import type { Store } from "@isnad/lib/store";

/**
 * Which articles are put back to work: those whose entities one of these models found (null: a model that was not
 * kept).
 */
export type RenewOptions = {
  store: Pick<Store, "entities">;
  modelIds: readonly (string | null)[];
  signal: AbortSignal;
  /** Told of the number put back so far. */
  onProgress?: (renewed: number) => void;
  /** Articles looked at in one statement. */
  stretch?: number;
};

const STRETCH = 2_000;

/**
 * Walks all articles by id, one short statement a stretch, and returns how many were put back to work. Cut short, it
 * may begin again.
 */
export async function renewEntities(options: RenewOptions): Promise<number> {
  const { store, modelIds, signal, onProgress, stretch: limit = STRETCH } = options;
  if (modelIds.length === 0) return 0;
  let total = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, renewed } = await store.entities.renew({ afterId, limit, modelIds });
    total += renewed;
    onProgress?.(total);
    afterId = lastId;
  }
  return total;
}
