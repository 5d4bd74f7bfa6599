export { type ArticleState, ArticleView } from "./article-v1.ts";
export { ChatAnswer, type ChatRequest, ChatSource, ChatUsage, chatRequest } from "./chat.ts";
export { CHAT_STREAM, type ChatEvent, ChatStreamError, collectChat, readChatEvents } from "./chat-events.ts";
export { type ChunkCondition, type ChunkField, ChunkFilters, chunkConditions } from "./chunk-filters.ts";
export {
  NewSource,
  SourceChange,
  SourceKey,
  SourcePage,
  type SourceStatus,
  SourceView,
} from "./sources-v1.ts";
export { ArticleEvent, EventArticle, EventRevision } from "./events-v1.ts";
export {
  articleIdParam,
  decimalParam,
  flagParam,
  hasLength,
  nameField,
  NOT_BLANK,
  textField,
  timeParam,
  wholeParam,
  wholeText,
} from "./fields.ts";
export { filterParams } from "./filter-params.ts";
export {
  brokenRange,
  FILTER_NAMES,
  FILTERS,
  type Filter,
  type FilterName,
  type Filters,
  filtersOf,
  isNumeric,
} from "./filters.ts";
export { IngestConflict, IngestResponse, IngestResult } from "./ingest-v1.ts";
export { type ItemError, type ItemSlug, itemError } from "./item-error.ts";
export { DeletionReport, IngestItem, isAuthor, type ItemDraft } from "./item-schema.ts";
export {
  ARGUMENT_ROLES,
  type ArgumentRole,
  ClaimSentence,
  ClaimTopics,
  DialectSentence,
  ARTICLE_ENTITY_TYPES,
  ENTITY_TYPES,
  EntitySentence,
  EVENT_TYPES,
  type EventType,
  LEXICON_KINDS,
  type LexiconKind,
  LexiconSubjects,
  RelationSentence,
  SenseEntry,
  SenseExample,
} from "./lexicon.ts";
export { LIMITS } from "./limits.ts";
export { MAX_PASSAGES, Passage, PassagesRequest, PassagesResponse } from "./passages.ts";
export { Problem } from "./problem.ts";
export { RelationsPackage, RelationsReceipt } from "./relations.ts";
export { RevisionResponse, RevisionResult } from "./revisions-v1.ts";
export { isIdentifier } from "./rules.ts";
export { DetailedRunView, RUN_STATUSES, RUN_TRIGGERS, RunView } from "./scraper-runs-v1.ts";
export { ListedProfile, ListedProfiles, NormalizedItem, ScrapeFile, ScrapeResults } from "./scraper-v1.ts";
export {
  SEARCH_DEPTH,
  SEARCH_MODES,
  SEARCH_STATE,
  SearchBody,
  type SearchFusion,
  type SearchMode,
  SearchParams,
  SearchResult,
  SearchState,
  searchState,
} from "./search-v1.ts";
export { EdgeSummary, EdgeSummaryRequest, Summary, SummaryRequest } from "./summaries.ts";
export { TextRelations } from "./text-relations.ts";
export { KeyRecord, KeysAnswer, KeysRequest, KeyUse, SCOPES, type Scope } from "./keys.ts";
