import { setTimeout as sleep } from "node:timers/promises";
import { admitChecked, type CheckThread, checkItems, type ItemResult, mergeResults } from "@isnad/lib/ingest";
import { isUnavailable, type Store } from "@isnad/lib/store";

/** What the admission of a batch needs. */
export type AdmitDeps = {
  store: Pick<Store, "admission">;
  thread: Pick<CheckThread, "check">;
  requireKnownSource: boolean;
};

/** Waits, in ms, before a database that is away is asked again. */
const WAITS = [500, 1_000, 2_000, 4_000, 8_000];

/**
 * Admits items as the ingest route does, but sets those in conflict aside and admits the others at once. Returns what became
 * of each, in their order. Rejects when the database stays away; what was admitted by then is admitted.
 */
export async function admitBatch(
  entries: readonly unknown[],
  { store, thread, requireKnownSource }: AdmitDeps,
  signal: AbortSignal,
): Promise<ItemResult[]> {
  const checked = await checkItems(entries, thread);
  const results = new Array<ItemResult>(checked.length);
  let open = [...checked.keys()];
  while (open.length > 0) {
    const batch = open.flatMap((index) => checked[index] ?? []);
    const outcome = await patiently(() => admitChecked(store, batch, { requireKnownSource }), signal);
    if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
    const left: number[] = [];
    for (const [n, result] of mergeResults(batch, outcome.results).entries()) {
      const index = open[n] ?? 0;
      // A conflict stored nothing of its batch: the rest has to be decided again, without it.
      if (outcome.conflict && (result.status === "accepted" || result.status === "duplicate")) left.push(index);
      else results[index] = result;
    }
    open = left;
  }
  return results;
}

async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
  return await work();
}
