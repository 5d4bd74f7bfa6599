export type {
  AdmissionContext,
  AdmissionItem,
  AdmissionOutcome,
  AdmissionResult,
  Decided,
  IdempotencyKey,
} from "./admission/types.ts";
export type { ArticleState } from "../contract/mod.ts";
export type { Article, ArticleField } from "./articles/columns.ts";
export type { VersionedArticle } from "./articles/read.ts";
export type { ArticleDetail, ArticleEntity, NormalizedRow } from "./articles/types.ts";
export * from "./backup/mod.ts";
export type { IndexedArticle, NewChunk } from "./chunks/commit.ts";
export type { ChunkChange, ChunkDelete, ChunkUpsert } from "./chunks/since.ts";
export type { KeyedChunk } from "./chunks/of-articles.ts";
export { InvalidCursorError } from "./cursor.ts";
export { ensurePostgres, type PostgresLease } from "./embedded/ensure.ts";
export { embeddedUrl } from "./embedded/running-url.ts";
export type { EntityModelCount } from "./entities/models.ts";
export type { TaggedArticle } from "./entities/put.ts";
export type { EntityName } from "./entities/types.ts";
export { isRetryable, isUnavailable } from "./errors.ts";
export { type DatabaseFacts, databaseFacts } from "./facts.ts";
export type { Json } from "./json.ts";
export type { LogEpoch } from "./log/epochs.ts";
export type { FollowerFacts, FollowerReport, FollowerRequest, FollowerState } from "./log/followers.ts";
export { articleIdOfKey, articleKey, keysOfNumber } from "./log/key.ts";
export { LOG_START, type LogEntry, type LogPage, type LogPosition } from "./log/read.ts";
export { migrate } from "./migrate.ts";
export type { OutboxEvent } from "./outbox/types.ts";
export { NO_PULL_COUNTS, type PullCounts, type PullOptions, type PullRun, type PullTrigger } from "./pulls/types.ts";
export type * from "./relations/types.ts";
export type { ReadArticle } from "./rerank/put.ts";
export type * from "./revisions/types.ts";
export { NO_COUNTS } from "./scraper/run-counts.ts";
export { NO_DETAILS } from "./scraper/runs.ts";
export type * from "./scraper/types.ts";
export type { Source, SourceInput } from "./sources.ts";
export type { LastPull, OffState, SourceOverview } from "./source-state.ts";
export { openStore, type Store } from "./store.ts";
export type * from "./work/types.ts";
export type { ListedKey, NewKey } from "./keys.ts";
