export type {
  AdmissionContext,
  AdmissionItem,
  AdmissionOutcome,
  AdmissionResult,
  Decided,
  IdempotencyKey,
} from "./admission/statements.ts";
export type { Article, ArticleField } from "./articles/columns.ts";
export type { VersionedArticle } from "./articles/read.ts";
export type { ArticleDetail, NormalizedRow } from "./articles/read.ts";
export { BackupError, checkBackupFile, restoreBackupFile, writeBackupFile } from "./backup/load.ts";
export type { IndexedArticle } from "./chunks.ts";
export type { KeyedChunk } from "./chunks.ts";
export type { NamedEntity } from "./claims/list.ts";
export type { ClaimQuery, ListedClaim } from "./claims/list.ts";
export type { ClaimBatch, NewClaim, NewMention, Speaker } from "./claims/put.ts";
export type { ClaimPosition, ComparedClaim, NumberedVector } from "./claims/vectors.ts";
export type { ComparedReview, ReadReview, Review, ReviewInput, ReviewItem, UnreadReview } from "./reviews.ts";
export { InvalidCursorError, LOG_START, type LogPosition, parseArticleId } from "./values.ts";
export { embeddedUrl, ensurePostgres, hasCluster, type PostgresLease } from "./embedded/ensure.ts";
export { MAX_STEPS, MOSTLY_SHARED } from "./copies.ts";
export type {
  CopyCandidate,
  CopyFamily,
  CopyLink,
  Credit,
  CurrentText,
  FamilyMember,
  MatchedText,
  ReadText,
} from "./copies.ts";
export type {
  Story,
  StoryArticle,
  StoryCandidate,
  StoryLink,
  StoryReport,
  StoryRules,
  StoryText,
} from "./stories/mod.ts";
export type { EntityModelCount } from "./models.ts";
export type { TaggedArticle } from "./entities.ts";
export { type EntityName, NUMERIC } from "./entities.ts";
export { currentUrl, isUnavailable } from "./client.ts";
export { type DatabaseFacts, databaseFacts } from "./database.ts";
export type { Json } from "./values.ts";
export type { FollowerRequest } from "./log.ts";
export { FOLLOWER_SILENT_S, type FollowerFacts, type FollowerState } from "./log.ts";
export { articleIdOfKey, articleKey, keysOfNumber } from "./log.ts";
export type { LogEntry } from "./log.ts";
export { migrate } from "./migrate.ts";
export type { EventKind, OutboxEvent } from "./outbox.ts";
export { NO_PULL_COUNTS, type PullCounts, type PullOptions, type PullRun, type PullTrigger } from "./pulls.ts";
export type { NewRelation, RelationsReport } from "./relations.ts";
export type { ReadArticle } from "./models.ts";
export type { Revision, RevisionPage, RevisionReport } from "./revisions.ts";
export { NO_COUNTS } from "./scraper/runs.ts";
export { NO_DETAILS } from "./scraper/runs.ts";
export type {
  DetailedRun,
  JsonObject,
  Run,
  RunCounts,
  RunDetails,
  RunError,
  RunFeed,
  SelectorPages,
} from "./scraper/runs.ts";
export type { Discovery, FrontierOutcome, FrontierRow, Validators } from "./scraper/frontier.ts";
export type { ItemSettlement, ItemState, PendingItem, ScrapedItem, StoredItem } from "./scraper/items.ts";
export type { Source, SourceInput } from "./sources.ts";
export type { SourceDays, VolumeVerdict } from "./source-volumes.ts";
export type { OffState, SourceOverview } from "./sources.ts";
export { openStore, type Store } from "./store.ts";
export type { StageBacklog, Step, WorkItem } from "./work.ts";
export { DESK_SESSION_DAYS } from "./keys.ts";
export type { ListedKey, NewKey } from "./keys.ts";
export { WALK_HIT_BYTES } from "./hits.ts";
export type { DueHook, HookEvent } from "./searches/matches.ts";
export type { NewMatch, SearchMatch, SearchVector } from "./searches/matches.ts";
export type { SavedSearch, SearchesVersion, SearchInput, WatchedSearch } from "./searches/saved.ts";
