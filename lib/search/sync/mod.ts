export { type Broken, cutPassages, embedPassages, type Passages, type TextRow } from "./chunk-vectors.ts";
export {
  type FollowKeywordOptions,
  followKeyword,
  KEYWORD_FIELDS,
  type KeywordRow,
  keywordDocs,
  keywordSink,
  type SourceTiers,
} from "./keyword-sink.ts";
export { embedMissing, type ReembedOptions, reembed } from "./reembed.ts";
export { followRemote, type RemoteFollowers } from "./remote.ts";
