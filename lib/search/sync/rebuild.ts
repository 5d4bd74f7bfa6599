import { KEYWORD_FIELDS, keywordWriter } from "./keyword-writer.ts";
import { type ReconcileOptions, type ReconcileProgress, reconcileKeyword } from "./reconcile.ts";

/** Articles written at a time. */
const BATCH = 200;

/**
 * Writes every indexed article into the keyword index anew, then takes out what is too much. Searches go on meanwhile.
 * May be cut short and begun again; the index is whole at any moment, old documents beside new ones.
 */
export async function rebuildKeyword(options: ReconcileOptions): Promise<ReconcileProgress> {
  const { store, keyword, signal, onProgress } = options;
  const writer = keywordWriter({ store, keyword });
  const fields = [...KEYWORD_FIELDS];
  let written = 0;
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await store.articles.page(after, BATCH, { state: "indexed", fields });
    const last = rows.at(-1);
    if (last === undefined) break;
    written += (await writer.write(rows)).length;
    after = last.articleId;
    onProgress?.({ checked: written, added: written, removed: 0 });
  }
  const { added, removed } = await reconcileKeyword({
    ...options,
    onProgress: (done) => onProgress?.({ checked: written, added: written + done.added, removed: done.removed }),
  });
  return { checked: written, added: written + added, removed };
}
