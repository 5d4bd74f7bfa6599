import type { Store } from "../../store/mod.ts";
import type { KeywordIndex } from "../keyword/mod.ts";
import { keywordWriter } from "./keyword-writer.ts";

/** What a reconciliation has done so far. */
export type ReconcileProgress = {
  /** Articles of Postgres looked at. */
  checked: number;
  /** Articles put into the index. */
  added: number;
  /** Documents taken out of it. */
  removed: number;
};

/** What a reconciliation asks of a keyword index. */
export type Reconciled = "ids" | "upsert" | "remove" | "markComplete";

/** What it works on, and how it is watched and stopped. */
export type ReconcileOptions = {
  store: Pick<Store, "articles" | "sources">;
  keyword: Pick<KeywordIndex, Reconciled>;
  signal?: AbortSignal;
  onProgress?(progress: ReconcileProgress): void;
  /** Ids compared at a time (5,000). */
  window?: number;
};

/** Documents written at a time. */
const BATCH = 200;
/** Batches in work at a time: while an engine takes one, the next is read and analysed. */
const IN_WORK = 2;

/**
 * Makes the keyword index hold exactly the indexed articles of Postgres: compares the ids of both, window by window,
 * adds what is missing and takes out what is no article any more. May run beside the jobs that index, and may be cut
 * short at any moment: the next run does what is left. On an empty index it is the rebuild. Rejects with the signal's
 * reason.
 */
export async function reconcileKeyword(options: ReconcileOptions): Promise<ReconcileProgress> {
  const { store, keyword, signal, onProgress, window = 5_000 } = options;
  const writer = keywordWriter({ store, keyword });
  const progress: ReconcileProgress = { checked: 0, added: 0, removed: 0 };
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    // In this order: an article's document is written before its row says `indexed`.
    const rows = await store.articles.page(after, window, { state: "indexed", fields: ["articleId"] });
    const documents = await keyword.ids(after, window);
    const last = Math.min(
      endOf(
        rows.map(({ articleId }) => articleId),
        window,
      ),
      endOf(documents, window),
    );
    const wanted = rows.map(({ articleId }) => articleId).filter((id) => id <= last);
    const present = new Set(documents.filter((id) => id <= last));

    const missing = wanted.filter((id) => !present.has(id));
    await inBatches(missing, signal, async (ids) => {
      progress.added += (await writer.sync(ids)).written;
      onProgress?.({ ...progress });
    });
    const known = new Set(wanted);
    const extra = [...present].filter((id) => !known.has(id));
    for (let i = 0; i < extra.length; i += BATCH) {
      progress.removed += (await writer.sync(extra.slice(i, i + BATCH))).removed;
    }
    progress.checked += wanted.length;
    onProgress?.({ ...progress });
    if (last === Number.POSITIVE_INFINITY) break;
    after = last;
  }
  await keyword.markComplete();
  return progress;
}

/** Hands over batches of `ids`, the next while one is in work, until one fails or `signal` aborts. */
async function inBatches(
  ids: readonly number[],
  signal: AbortSignal | undefined,
  work: (ids: number[]) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < ids.length) {
      signal?.throwIfAborted();
      const first = next;
      next += BATCH;
      await work(ids.slice(first, next)).catch((error: unknown) => {
        next = ids.length;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: IN_WORK }, run));
}

/** The id up to which a page of `window` ids is complete. */
function endOf(ids: readonly number[], window: number): number {
  return ids.length < window ? Number.POSITIVE_INFINITY : (ids.at(-1) ?? 0);
}
