import type { Sql } from "../client.ts";
import type { FollowerRequest } from "./followers.ts";
import { articleIdOfKey, articleKey } from "./key.ts";

/**
 * A place in the log: the number of a row that was followed, and the random mark of that row. Where the log has no such
 * row it is of another history than the one that was followed.
 */
export type LogPosition = { seq: number; mark: string };

/** Where nothing has been followed yet. */
export const LOG_START: LogPosition = { seq: 0, mark: "" };

/** A change of an article: it has become, or is still, indexed in some way; or it is gone. */
export type LogEntry = { key: number; articleId: number; deleted: boolean };

/** What the log has after a position. */
export type LogPage = {
  /** Whether the log still has the row of the position. Where not, there are no entries. */
  same: boolean;
  /** The last number of the log. */
  head: number;
  entries: LogEntry[];
  /** The position of the last entry, that which was asked for where there are none. */
  next: LogPosition;
  /** What an operator asks of the follower. */
  wanted: FollowerRequest | null;
};

/**
 * Reads up to `limit` changes after a position, in their order. One statement: what is read belongs to the row that the
 * position is compared with, whichever server answers.
 */
export async function readLog(
  sql: Sql,
  after: LogPosition,
  { limit, follower = "" }: { limit: number; follower?: string },
): Promise<LogPage> {
  type Row = {
    same: boolean;
    head: number;
    seq: number | null;
    articleId: number | null;
    docId: string | null;
    deleted: boolean | null;
    mark: string | null;
    wanted: FollowerRequest | null;
  };
  const rows = await sql<Row[]>`
    select state.same, state.head, state.wanted, l.seq, l.article_id as "articleId", l.doc_id as "docId", l.deleted, l.mark
    from (
      select coalesce((select max(seq) from article_log), 0) as head,
        (select wanted from followers where name = ${follower}) as wanted,
        ${after.seq} = 0 or exists (
          select from article_log where seq = ${after.seq} and mark::text = ${after.mark}) as same
    ) as state
    left join lateral (
      select * from article_log where state.same and seq > ${after.seq} order by seq limit ${limit}
    ) as l on true
    order by l.seq`;
  const [{ same, head, wanted } = { same: false, head: 0, wanted: null }] = rows;
  const entries: LogEntry[] = [];
  let next = after;
  for (const { seq, articleId, docId, deleted, mark } of rows) {
    if (seq === null || articleId === null || docId === null || mark === null) continue;
    entries.push({ key: articleKey(articleId, docId), articleId, deleted: deleted === true });
    next = { seq, mark };
  }
  return { same, head, entries, next, wanted };
}

/** Returns the position of the last row. */
export async function logHead(sql: Sql): Promise<LogPosition> {
  const [row] = await sql<LogPosition[]>`select seq, mark from article_log order by seq desc limit 1`;
  return row ?? LOG_START;
}

/** Returns up to `limit` keys of indexed articles above `after`, ascending: what an index that is right holds. */
export async function indexedKeys(sql: Sql, after: number, limit: number): Promise<number[]> {
  // The number of the last key may have come to another article meanwhile, with a higher key.
  const rows = await sql<{ articleId: number; docId: string }[]>`
    select article_id as "articleId", doc_id as "docId" from articles
    where article_id >= ${articleIdOfKey(after)} and state = 'indexed' order by article_id limit ${limit + 1}`;
  const keys = rows.map(({ articleId, docId }) => articleKey(articleId, docId));
  return keys.filter((key) => key > after).slice(0, limit);
}

/** Rows deleted by a statement. */
const PRUNED = 10_000;

/**
 * Drops rows of articles that changed again later, once they are older than `olderThanS` seconds; the last row of each
 * article stays. Whoever followed up to a row that is dropped compares all he has. Returns how many were dropped.
 */
export async function pruneLog(sql: Sql, { olderThanS }: { olderThanS: number }): Promise<number> {
  for (let dropped = 0; ; ) {
    const { count } = await sql`
      delete from article_log where seq in (
        select seq from article_log l
        where at < now() - make_interval(secs => ${olderThanS})
          and exists (select from article_log n where n.article_id = l.article_id and n.seq > l.seq)
        order by seq limit ${PRUNED})`;
    dropped += count;
    if (count < PRUNED) return dropped;
  }
}
