import type { KeywordIndex } from "../keyword/mod.ts";
import { KEYWORD_FIELDS, keywordWriter } from "./keyword-writer.ts";
import { type Reconciled, type ReconcileOptions, type ReconcileProgress, reconcileKeyword } from "./reconcile.ts";

/** Articles written at a time. */
const BATCH = 200;

/** What a rebuild works on. */
export type RebuildOptions = Omit<ReconcileOptions, "keyword"> & {
  keyword: Pick<KeywordIndex, "rebuild" | Reconciled>;
};

/**
 * Writes every indexed article into the keyword index anew, then takes out what is too much. Searches go on meanwhile.
 * May be cut short and begun again. What is written beside the index that serves takes its place when it is whole, and
 * what came in during that moment is added then.
 */
export async function rebuildKeyword({ keyword, ...options }: RebuildOptions): Promise<ReconcileProgress> {
  const written = await keyword.rebuild((index) => writeAll({ ...options, keyword: index }));
  const late = await reconcileKeyword({ ...options, keyword });
  return { checked: written.checked, added: written.added + late.added, removed: written.removed + late.removed };
}

async function writeAll(options: ReconcileOptions): Promise<ReconcileProgress> {
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
