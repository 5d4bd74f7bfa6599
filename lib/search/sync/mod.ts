export {
  type FollowKeywordOptions,
  followKeyword,
  followRemote,
  KEYWORD_FIELDS,
  type KeywordRow,
  keywordDocs,
  keywordSink,
  type RemoteFollowers,
  type SourceTiers,
} from "./keyword-sink.ts";
export {
  type Broken,
  cutPassages,
  embedMissing,
  embedPassages,
  type Passages,
  type ReembedOptions,
  reembed,
  type TextRow,
} from "./reembed.ts";
