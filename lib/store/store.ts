import { admit, createSourceMemory } from "./admission/admit.ts";
import { pruneKeys } from "./admission/idempotency.ts";
import type { AdmissionContext, AdmissionItem } from "./admission/decide.ts";
import { countBefore, removeArticle, removeBefore, type RemoveOptions } from "./articles/remove.ts";
import type { KeyUse } from "../contract/state-v1.ts";
import type { ArticleState } from "../contract/mod.ts";
import type { ArticleField } from "./articles/columns.ts";
import { markFailed, markNormalized, putSummaries } from "./articles/progress.ts";
import {
  articleIdsOf,
  articlesByIds,
  articlesInState,
  articlesUnlessKnown,
  countByState,
  countPending,
  getArticle,
  type NormalizedRow,
  pageArticles,
} from "./articles/read.ts";
import {
  chunkCounts,
  chunksOfArticles,
  chunksSince,
  commitIndexed,
  type IndexedArticle,
  type IndexingOptions,
} from "./chunks.ts";
import {
  type FollowerRequest,
  changesHead,
  indexedKeys,
  listenChunks,
  logEpochs,
  logHead,
  noteEpoch,
  pruneLog,
  readLog,
} from "./log.ts";
import {
  articlesLacking,
  articlesWithout,
  countEntityModels,
  enlistUnread,
  renewEntityWork,
  type RenewStretch,
  type UnreadStretch,
} from "./models.ts";
import { cameAfter, entitiesOfArticles, sourceNames } from "./hits.ts";
import { beginWalk, readWalk } from "./walks.ts";
import { claimStore } from "./claims/store.ts";
import { connect, type PoolOptions } from "./client.ts";
import { copyStore } from "./copies.ts";
import { articlesNaming, countEntities, mostNamed, putEntities, type TaggedArticle } from "./entities.ts";
import type { EntityQuery } from "./entity-names.ts";
import { createKey, currentKeys, listKeys, type NewKey, revokeKey } from "./keys.ts";
import { databaseSize, mendFutures, watchWrites } from "./database.ts";
import { beginDeskSession, endDeskSession, readDeskSession } from "./desk-sessions.ts";
import type { Json, LogPosition } from "./values.ts";
import type { Lease } from "./lease.ts";
import {
  askFollowers,
  type FollowerReport,
  freeFollower,
  leaseFollower,
  leaveFollower,
  listFollowers,
  pruneFollowers,
  putFollower,
  settleFollower,
} from "./followers.ts";
import {
  ackOutbox,
  claimOutbox,
  type ClaimOptions,
  type DeliveryFailure,
  eventsAfter,
  heartbeatOutbox,
  outboxLag,
  type PruneOptions,
  pruneOutbox,
  releaseOutbox,
  retryOutbox,
} from "./outbox.ts";
import { pullStore } from "./pulls.ts";
import { allWorkerMetrics, countRequest, pruneRequests, putWorkerMetrics } from "./processes.ts";
import { putRelations, type RelationsReport } from "./relations.ts";
import { putRerankVectors, type ReadArticle, rerankVectorsOf } from "./rerank.ts";
import { reviewStore } from "./reviews.ts";
import { listRevisions, recordRevision, type RevisionReport } from "./revisions.ts";
import { storyStore } from "./stories/mod.ts";
import { scraperStore } from "./scraper/store.ts";
import { searchStore } from "./searches/store.ts";
import { countUnusual, type SourceDays, unusualSources, type VolumeVerdict, watchVolumes } from "./source-volumes.ts";
import {
  getSource,
  listSources,
  type OverviewQuery,
  removeSource,
  removeSources,
  retireSources,
  type SourceInput,
  sourceOverviews,
  sourcesOff,
  switchSource,
  upsertSources,
} from "./sources.ts";
import { repeating } from "./transaction.ts";
import { type Step, workStore } from "./work.ts";

/**
 * Longest time that closing waits for statements in flight, in seconds: a process that stops has 15 s for everything.
 */
const CLOSE_S = 1;

/** The system of record: everything that is kept in Postgres. */
export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store over a pool of connections. Nothing is connected yet: each operation makes its connection when it
 * needs one. What met a lost connection is done again for up to a second where that is safe; an operation then rejects
 * with an error for which `isUnavailable` holds, and so does one that met the pool's time limit, at once. After such an
 * error of a writing operation it is open whether it was done; all of them may be repeated.
 */
export function openStore(url: string, options: PoolOptions = {}) {
  const sql = connect(url, options);
  const memory = createSourceMemory();
  const writes = watchWrites(sql);
  return {
    /** Rejects when the database does not answer. */
    ping: (): Promise<void> => repeating(async () => void (await sql`select 1`)),
    /** Rejects with the database's own error when it does not take writes now. */
    checkWrites: (): Promise<void> => writes.check(),
    /** Says how large the database is, and about how many articles it has. */
    size: () => repeating(() => databaseSize(sql)),
    /** Ends the connections, waiting at most 1 s for statements in flight. */
    close: (): Promise<void> => sql.end({ timeout: CLOSE_S }),
    admission: {
      admit: (items: readonly AdmissionItem[], context: AdmissionContext) =>
        writes.noting(() => admit(sql, memory, items, context)),
      prune: (limit?: number) => repeating(() => pruneKeys(sql, limit)),
    },
    walks: {
      begin: (walk: Parameters<typeof beginWalk>[1]) => repeating(() => beginWalk(sql, walk)),
      read: (page: Parameters<typeof readWalk>[1]) => repeating(() => readWalk(sql, page)),
    },
    hits: {
      entities: (articleIds: readonly number[], limit: number) =>
        repeating(() => entitiesOfArticles(sql, articleIds, limit)),
      cameAfter: (articleIds: readonly number[], ms: number) => repeating(() => cameAfter(sql, articleIds, ms)),
      sourceNames: (keys: readonly string[]) => repeating(() => sourceNames(sql, keys)),
    },
    articles: {
      get: (idOrUuid: string | number) => repeating(() => getArticle(sql, idOrUuid)),
      remove: (idOrUuid: string | number) => removeArticle(sql, idOrUuid),
      removeBefore: (time: string, options?: RemoveOptions) => removeBefore(sql, time, options),
      countBefore: (time: string) => repeating(() => countBefore(sql, time)),
      idsOf: (docIds: readonly string[]) => repeating(() => articleIdsOf(sql, docIds)),
      byIds: <F extends ArticleField>(ids: readonly number[], fields: readonly F[]) =>
        repeating(() => articlesByIds(sql, ids, fields)),
      unlessKnown: <F extends ArticleField>(known: ReadonlyMap<number, string | undefined>, fields: readonly F[]) =>
        repeating(() => articlesUnlessKnown(sql, known, fields)),
      page: <F extends ArticleField>(
        afterId: number,
        limit: number,
        options: { state?: ArticleState | undefined; fields: readonly F[] },
      ) => repeating(() => pageArticles(sql, afterId, limit, options)),
      inState: <F extends ArticleField>(ids: readonly number[], state: ArticleState, fields: readonly F[]) =>
        repeating(() => articlesInState(sql, ids, state, fields)),
      markNormalized: (rows: readonly NormalizedRow[], step?: Step) => markNormalized(sql, rows, step),
      markFailed: (articleId: number, reason: string, step?: Step) => markFailed(sql, articleId, reason, step),
      putSummaries: (summaries: ReadonlyMap<number, string>, step?: Step) => putSummaries(sql, summaries, step),
      countByState: () => repeating(() => countByState(sql)),
      countPending: () => repeating(() => countPending(sql)),
    },
    relations: {
      put: (idOrUuid: string | number, report: RelationsReport, step?: Step) =>
        writes.noting(() => putRelations(sql, idOrUuid, report, step)),
    },
    revisions: {
      record: (report: RevisionReport) => writes.noting(() => recordRevision(sql, report)),
      list: (idOrUuid: string | number, options: { limit: number; before?: number | undefined }) =>
        repeating(() => listRevisions(sql, idOrUuid, options)),
    },
    indexing: {
      commit: (batch: readonly IndexedArticle[], options: IndexingOptions) => commitIndexed(sql, batch, options),
    },
    log: {
      read: (after: LogPosition, options: { limit: number; follower?: string }) =>
        repeating(() => readLog(sql, after, options)),
      head: () => repeating(() => logHead(sql)),
      keys: (after: number, limit: number) => repeating(() => indexedKeys(sql, after, limit)),
      listen: (onChange: () => void) => listenChunks(sql, onChange),
      noteEpoch: () => repeating(() => noteEpoch(sql)),
      epochs: () => repeating(() => logEpochs(sql)),
      prune: (options: { olderThanS: number }) => repeating(() => pruneLog(sql, options)),
    },
    followers: {
      lease: (name: string, lease: Lease) => repeating(() => leaseFollower(sql, name, lease)),
      free: (name: string, owner: string) => repeating(() => freeFollower(sql, name, owner)),
      put: (report: FollowerReport) => repeating(() => putFollower(sql, report)),
      list: () => repeating(() => listFollowers(sql)),
      ask: (kind: string, wanted: FollowerRequest) => repeating(() => askFollowers(sql, kind, wanted)),
      settle: (name: string) => repeating(() => settleFollower(sql, name)),
      leave: (name: string) => repeating(() => leaveFollower(sql, name)),
      prune: () => repeating(() => pruneFollowers(sql)),
    },
    chunks: {
      ofArticles: <F extends ArticleField = never>(modelId: string, ids: readonly number[], fields?: readonly F[]) =>
        repeating(() => chunksOfArticles(sql, modelId, ids, fields)),
      since: <F extends ArticleField = never>(modelId: string, seq: number, limit: number, fields?: readonly F[]) =>
        repeating(() => chunksSince(sql, modelId, seq, limit, fields)),
      counts: (modelId: string) => repeating(() => chunkCounts(sql, modelId)),
      head: () => repeating(() => changesHead(sql)),
      lacking: (modelId: string, options: { afterId: number; limit: number }) =>
        repeating(() => articlesLacking(sql, modelId, options)),
      without: (modelId: string, ids: readonly number[]) => repeating(() => articlesWithout(sql, modelId, ids)),
      listen: (onChange: () => void) => listenChunks(sql, onChange),
    },
    entities: {
      put: (batch: readonly TaggedArticle[], options: { modelId: string; step?: Step | undefined }) =>
        putEntities(sql, batch, options),
      renew: (stretch: RenewStretch) => renewEntityWork(sql, stretch),
      count: (query: EntityQuery) => repeating(() => countEntities(sql, query)),
      articlesNaming: (entity: { id?: number | undefined; key: string }, options: { limit: number }) =>
        repeating(() => articlesNaming(sql, entity, options)),
      mostNamed: (options: { among: number; limit: number }) => repeating(() => mostNamed(sql, options)),
      countByModel: () => repeating(() => countEntityModels(sql)),
    },
    rerank: {
      put: (batch: readonly ReadArticle[], options: { modelId: string; step?: Step | undefined }) =>
        putRerankVectors(sql, batch, options),
      vectorsOf: (articleIds: readonly number[], options: { modelId: string }) =>
        repeating(() => rerankVectorsOf(sql, articleIds, options)),
      enlist: (stretch: UnreadStretch) => enlistUnread(sql, stretch),
    },
    copies: copyStore(sql),
    stories: storyStore(sql),
    claims: claimStore(sql),
    reviews: reviewStore(sql, writes.noting),
    work: workStore(sql),
    sources: {
      list: () => repeating(() => listSources(sql)),
      get: (key: string) => repeating(() => getSource(sql, key)),
      upsert: (inputs: readonly SourceInput[]) => repeating(() => upsertSources(sql, inputs)),
      remove: (keys: readonly string[]) => removeSources(sql, keys),
      retire: (keys: readonly string[]) => retireSources(sql, keys),
    },
    sourceStates: {
      overviews: (query: OverviewQuery) => repeating(() => sourceOverviews(sql, query)),
      switch: (key: string, active: boolean) => switchSource(sql, key, active),
      remove: (key: string) => removeSource(sql, key),
      off: () => repeating(() => sourcesOff(sql)),
      watchVolumes: (judge: (days: SourceDays) => VolumeVerdict, now?: number) => watchVolumes(sql, judge, now),
      unusual: (limit: number) => repeating(() => unusualSources(sql, limit)),
      countUnusual: () => repeating(() => countUnusual(sql)),
    },
    outbox: {
      claim: (consumer: string, options: ClaimOptions) => claimOutbox(sql, consumer, options),
      heartbeat: (lease: Lease) => repeating(() => heartbeatOutbox(sql, lease)),
      release: (owner: string) => repeating(() => releaseOutbox(sql, owner)),
      after: (position: number, limit: number) => repeating(() => eventsAfter(sql, position, limit)),
      ack: (consumer: string, ids: readonly number[]) => repeating(() => ackOutbox(sql, consumer, ids)),
      retry: (owner: string, failures: readonly DeliveryFailure[]) =>
        repeating(() => retryOutbox(sql, owner, failures)),
      lag: (consumer: string) => repeating(() => outboxLag(sql, consumer)),
      prune: (options: PruneOptions) => repeating(() => pruneOutbox(sql, options)),
    },
    rateLimits: {
      /** Not retried: a caller that cannot wait counts in its own memory meanwhile. */
      count: (kind: string, client: string, perMinute: number) => countRequest(sql, kind, client, perMinute),
      prune: () => repeating(() => pruneRequests(sql)),
    },
    keys: {
      create: (key: NewKey) => createKey(sql, key),
      list: () => repeating(() => listKeys(sql)),
      revoke: (keyId: string) => repeating(() => revokeKey(sql, keyId)),
      current: (used: readonly KeyUse[]) => repeating(() => currentKeys(sql, used)),
    },
    deskSessions: {
      begin: (key: string) => beginDeskSession(sql, key),
      read: (token: string) => repeating(() => readDeskSession(sql, token)),
      end: (token: string) => repeating(() => endDeskSession(sql, token)),
    },
    /** See {@link mendFutures}. */
    mendFutures: () => repeating(() => mendFutures(sql)),
    searches: searchStore(sql),
    scraper: scraperStore(sql),
    pulls: pullStore(sql),
    workerMetrics: {
      put: (instance: string, body: Json) => repeating(() => putWorkerMetrics(sql, instance, body)),
      all: (maxAgeS: number) => repeating(() => allWorkerMetrics(sql, maxAgeS)),
    },
  };
}
