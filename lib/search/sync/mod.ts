export { type Broken, cutPassages, embedPassages, type Passages, type TextRow } from "./chunk-vectors.ts";
export {
  KEYWORD_FIELDS,
  KEYWORD_ROW_FIELDS,
  type KeywordRow,
  type KeywordWriter,
  keywordDocs,
  keywordWriter,
  type SourceTiers,
  sourceTiers,
} from "./keyword-writer.ts";
export { type FollowKeywordOptions, followKeyword, type KeywordFollower } from "./follow-keyword.ts";
export { keywordWhereRead, type WrittenKeyword } from "./keyword-where-read.ts";
export { rebuildKeyword } from "./rebuild.ts";
export { type ReconcileOptions, type ReconcileProgress, reconcileKeyword } from "./reconcile.ts";
export { keepTiers, type Tiers } from "./tiers.ts";
export { embedMissing, type ReembedOptions, reembed } from "./reembed.ts";
