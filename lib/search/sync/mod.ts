export { type Broken, cutPassages, embedPassages, type Passages, type TextRow } from "./reembed.ts";
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
export { followRemote, type RemoteFollowers } from "./keyword-sink.ts";
