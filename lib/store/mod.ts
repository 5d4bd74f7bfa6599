export type {
  AdmissionContext,
  AdmissionItem,
  AdmissionOutcome,
  AdmissionResult,
  Decided,
  IdempotencyKey,
} from "./admission/decide.ts";
export type { ArticleState } from "../contract/mod.ts";
export type { Article, ArticleField } from "./articles/columns.ts";
export type { VersionedArticle } from "./articles/read.ts";
export type { ArticleDetail, ArticleEntity, NormalizedRow } from "./articles/read.ts";
export { BackupError, checkBackupFile, restoreBackupFile, writeBackupFile } from "./backup/load.ts";
export type { IndexedArticle, NewChunk } from "./chunks.ts";
export type { ChunkChange, ChunkDelete, ChunkUpsert } from "./chunks.ts";
export type { KeyedChunk } from "./chunks.ts";
export type * from "./claims/finding.ts";
export type * from "./claims/list.ts";
export type * from "./claims/put.ts";
export type * from "./claims/vectors.ts";
export type {
  ComparedReview,
  FollowedReview,
  ReadReview,
  Review,
  ReviewInput,
  ReviewItem,
  ReviewOrigin,
  ReviewOutcome,
  ReviewQuery,
  UnreadReview,
} from "./reviews.ts";
export { InvalidCursorError, LOG_START, type LogPosition, parseArticleId } from "./values.ts";
export { ensurePostgres, type PostgresLease } from "./embedded/ensure.ts";
export { embeddedUrl } from "./embedded/ensure.ts";
export { MAX_STEPS, MOSTLY_SHARED } from "./copies.ts";
export type * from "./copies.ts";
export type * from "./stories/mod.ts";
export type { EntityModelCount } from "./models.ts";
export type { TaggedArticle } from "./entities.ts";
export { type EntityName, NUMERIC } from "./entity-names.ts";
export { currentUrl, isRetryable, isUnavailable } from "./client.ts";
export { type DatabaseFacts, databaseFacts } from "./database.ts";
export type { Json } from "./values.ts";
export type { FollowerRequest, LogEpoch } from "./log.ts";
export {
  FOLLOWER_SILENT_S,
  type FollowerFacts,
  type FollowerReport,
  type FollowerState,
} from "./followers.ts";
export { articleIdOfKey, articleKey, keysOfNumber } from "./log.ts";
export type { LogEntry, LogPage } from "./log.ts";
export { migrate } from "./migrate.ts";
export type { EventKind, NewEvent, OutboxEvent } from "./outbox.ts";
export { NO_PULL_COUNTS, type PullCounts, type PullOptions, type PullRun, type PullTrigger } from "./pulls.ts";
export type * from "./relations.ts";
export type { ReadArticle } from "./rerank.ts";
export type * from "./revisions.ts";
export { NO_COUNTS } from "./scraper/runs.ts";
export { NO_DETAILS } from "./scraper/runs.ts";
export type * from "./scraper/types.ts";
export type { Source, SourceInput } from "./sources.ts";
export type { SourceDays, UnusualSource, VolumeChange, VolumeVerdict } from "./source-volumes.ts";
export type { LastPull, OffState, SourceOverview } from "./sources.ts";
export { openStore, type Store } from "./store.ts";
export type * from "./work.ts";
export { DESK_SESSION_DAYS } from "./keys.ts";
export type { ListedKey, NewKey } from "./keys.ts";
export { WALK_HIT_BYTES } from "./hits.ts";
export type { DueHook, HookEvent } from "./searches/hooks.ts";
export type { MatchBatch, MatchOutcome, NewMatch, SearchMatch, SearchVector } from "./searches/matches.ts";
export type { SavedSearch, SearchesVersion, SearchInput, WatchedSearch } from "./searches/saved.ts";
