import type { IngestResult } from "@isnad/lib/contract";
import { admitChecked, changeReport, type CheckThread, checkItems, mergeResults, submittedOf } from "@isnad/lib/ingest";
import { at, retry } from "@isnad/lib/std";
import { isUnavailable, type Store } from "@isnad/lib/store";

/** What the admission of a batch needs. */
export type AdmitDeps = {
  store: Pick<Store, "admission" | "revisions">;
  thread: Pick<CheckThread, "check">;
  requireKnownSource: boolean;
};

/** How a database that is away is asked again. */
const WHILE_AWAY = { attempts: 6, backoff: { baseMs: 500, maxMs: 8_000, jitter: 0.2 }, isRetryable: isUnavailable };

/**
 * Admits items as the ingest route does, but sets those in conflict aside and admits the others at once; what those say
 * now is kept as revisions. Returns what became of each, in their order. Rejects when the database stays away; what was
 * admitted by then is admitted.
 */
export async function admitBatch(
  entries: readonly unknown[],
  { store, thread, requireKnownSource }: AdmitDeps,
  signal: AbortSignal,
): Promise<IngestResult[]> {
  const checked = await checkItems(entries, thread);
  const results = new Array<IngestResult>(checked.length);
  let open = [...checked.keys()];
  while (open.length > 0) {
    const batch = open.flatMap((index) => checked[index] ?? []);
    const outcome = await retry(() => admitChecked(store, batch, { requireKnownSource }), { ...WHILE_AWAY, signal });
    if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
    const left: number[] = [];
    for (const [n, result] of mergeResults(submittedOf(batch), outcome.results).entries()) {
      const index = at(open, n);
      // A conflict stored nothing of its batch: the rest has to be decided again, without it.
      if (outcome.conflict && (result.status === "accepted" || result.status === "duplicate")) left.push(index);
      else results[index] = result;
    }
    open = left;
  }
  for (const [index, entry] of checked.entries()) {
    if (results[index]?.status !== "conflict" || !("item" in entry)) continue;
    await retry(() => store.revisions.record(changeReport(entry.item, null)), { ...WHILE_AWAY, signal });
  }
  return results;
}
