import type { IngestResult, ItemDraft } from "@isnad/lib/contract";
import type { Json } from "@isnad/lib/store";

/** Items that are admitted together at most. */
const BATCH = 100;

/** An item waits at most about this long for others to be admitted with it, in milliseconds. */
const LONGEST_WAIT_MS = 2_000;

/** Says how a stream of items is admitted. */
export type StreamOptions = {
  /** Admits a batch. */
  admit(items: readonly ItemDraft[]): Promise<readonly IngestResult[]>;
  /** Called with what became of each batch. */
  onResults(results: readonly IngestResult[]): void;
  /** Most items to take; unlimited when left out. */
  max?: number | undefined;
  /** Aborts between two items. */
  signal: AbortSignal;
};

/** Says where a stream ended: `complete` with what the adapter returned, or at the limit. */
export type StreamEnd = { complete: true; state: Json | undefined } | { complete: false };

/**
 * Admits the items of an adapter, in batches. When the adapter fails, what it had brought by then is still admitted
 * before its error is passed on.
 */
export async function streamItems(
  items: AsyncGenerator<ItemDraft, Json | undefined, void>,
  { admit, onResults, max = Number.POSITIVE_INFINITY, signal }: StreamOptions,
): Promise<StreamEnd> {
  let batch: ItemDraft[] = [];
  let since = performance.now();
  let taken = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    since = performance.now();
    if (full.length > 0) onResults(await admit(full));
  };
  try {
    for (;;) {
      if (taken >= max) {
        await items.return(undefined);
        await flush();
        return { complete: false };
      }
      const next = await items.next();
      signal.throwIfAborted();
      if (next.done) {
        await flush();
        return { complete: true, state: next.value };
      }
      if (batch.length === 0) since = performance.now();
      batch.push(next.value);
      taken += 1;
      if (batch.length >= BATCH || performance.now() - since > LONGEST_WAIT_MS) await flush();
    }
  } catch (error) {
    if (!signal.aborted) await flush();
    throw error;
  } finally {
    // An adapter that was left in the middle closes what it has open.
    await items.return(undefined);
  }
}
