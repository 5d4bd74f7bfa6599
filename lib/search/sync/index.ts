export { type Broken, cutPassages, embedPassages, type Passages, type TextRow } from "./chunk-vectors.ts";
export { indexMissing, KEYWORD_FIELDS, type KeywordRow, keywordDocs, removeGone, sourceTiers } from "./keyword-docs.ts";
export { rebuildKeyword } from "./rebuild.ts";
export { type ReconcileOptions, type ReconcileProgress, reconcileKeyword } from "./reconcile.ts";
export { embedMissing, type ReembedOptions, reembed } from "./reembed.ts";
