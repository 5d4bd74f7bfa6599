import { admissionStore } from "./admission/admit.ts";
import { articleProgress, articleRemoval } from "./articles/change.ts";
import { articleReads } from "./articles/read.ts";
import { chunkStore, indexingStore } from "./chunks.ts";
import { claimFinding, claimLists } from "./claims/list.ts";
import { claimWrites } from "./claims/put.ts";
import { claimVectorStore } from "./claims/vectors.ts";
import { connect, type PoolOptions } from "./client.ts";
import { copyStore } from "./copies.ts";
import { databaseSize, mendFutures, watchWrites } from "./database.ts";
import { deskSessionStore, keyStore } from "./keys.ts";
import { entityStore } from "./entities.ts";
import { hitStore, walkStore } from "./hits.ts";
import { followerStore, logStore } from "./log.ts";
import { entityModelStore, lackingStore, rerankStore, unreadStore } from "./models.ts";
import { outboxStore } from "./outbox.ts";
import { rateLimitStore, workerMetricStore } from "./processes.ts";
import { pullStore } from "./pulls.ts";
import { relationStore } from "./relations.ts";
import { reviewStore } from "./reviews.ts";
import { revisionStore } from "./revisions.ts";
import { scraperStore } from "./scraper/store.ts";
import { hookStore, matchStore } from "./searches/matches.ts";
import { savedStore } from "./searches/saved.ts";
import { volumeStore } from "./source-volumes.ts";
import { sourceStateStore, sourceStore } from "./sources.ts";
import { storyStore } from "./stories/mod.ts";
import { repeating } from "./transaction.ts";
import { workStore } from "./work.ts";

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
    admission: admissionStore(sql, writes.noting),
    walks: walkStore(sql),
    hits: hitStore(sql),
    articles: {
      ...articleReads(sql),
      ...articleRemoval(sql),
      ...articleProgress(sql),
    },
    relations: relationStore(sql, writes.noting),
    revisions: revisionStore(sql, writes.noting),
    indexing: indexingStore(sql),
    log: logStore(sql),
    followers: followerStore(sql),
    chunks: {
      ...chunkStore(sql),
      ...lackingStore(sql),
    },
    entities: {
      ...entityStore(sql),
      ...entityModelStore(sql),
    },
    rerank: {
      ...rerankStore(sql),
      ...unreadStore(sql),
    },
    copies: copyStore(sql),
    stories: storyStore(sql),
    claims: { ...claimWrites(sql), ...claimVectorStore(sql), ...claimLists(sql), ...claimFinding(sql) },
    reviews: reviewStore(sql, writes.noting),
    work: workStore(sql),
    sources: sourceStore(sql),
    sourceStates: {
      ...sourceStateStore(sql),
      ...volumeStore(sql),
    },
    outbox: outboxStore(sql),
    rateLimits: rateLimitStore(sql),
    keys: keyStore(sql),
    deskSessions: deskSessionStore(sql),
    /** See {@link mendFutures}. */
    mendFutures: () => repeating(() => mendFutures(sql)),
    /** Saved searches, their matches, and the deliveries of these. */
    searches: { ...savedStore(sql), ...matchStore(sql), hooks: hookStore(sql) },
    scraper: scraperStore(sql),
    pulls: pullStore(sql),
    workerMetrics: workerMetricStore(sql),
  };
}
