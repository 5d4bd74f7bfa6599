import { repeating } from "./transaction.ts";
import { EventArticle } from "../contract/mod.ts";
import { jsonObject } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { noteEpoch } from "./epochs.ts";
import { LOG_START, type LogPosition } from "./values.ts";
import type { Lease } from "./lease.ts";

/** Makes the statements over the log of changes. */
export function logStore(sql: Sql) {
  return {
    read: (after: LogPosition, options: { limit: number; follower?: string }) =>
      repeating(() => readLog(sql, after, options)),
    head: () => repeating(() => logHead(sql)),
    keys: (after: number, limit: number) => repeating(() => indexedKeys(sql, after, limit)),
    listen: (onChange: () => void) => listenChunks(sql, onChange),
    noteEpoch: () => repeating(() => noteEpoch(sql)),
    prune: (options: { olderThanS: number }) => repeating(() => pruneLog(sql, options)),
  };
}

/** Says how many keys there are to an article's number: 20 bits of its uuid. */
const KEYS_PER_NUMBER = 2 ** 20;

/** The digits of a uuid that go into a key: 20 bits of its random part. */
const DIGITS = 5;

/**
 * Returns the key under which every index holds an article: its number and the end of its uuid. A number is given out
 * again where a database went back in time; a key is not, but for one of a million such articles. Keys are whole, below
 * 2⁵³, and in the order of numbers.
 */
export function articleKey(articleId: number, docId: string): number {
  return articleId * KEYS_PER_NUMBER + Number.parseInt(docId.slice(-DIGITS), 16);
}

/** Returns the lowest and the highest key that an article of a number can have. */
export function keysOfNumber(articleId: number): { first: number; last: number } {
  return { first: articleId * KEYS_PER_NUMBER, last: (articleId + 1) * KEYS_PER_NUMBER - 1 };
}

/** Returns the number of the article that a key is of. */
export function articleIdOfKey(key: number): number {
  return Math.floor(key / KEYS_PER_NUMBER);
}

/** A change of an article: it has become, or is still, indexed in some way; or it is gone. */
export type LogEntry = { key: number; articleId: number; deleted: boolean };

/** Holds what an operator asks of a follower: to compare its index with the database, or to make it again. */
export type FollowerRequest = "compare" | "rebuild";

/** Holds what the log has after a position. */
type LogPage = {
  /** True when the log still has the row of the position. Where not, there are no entries. */
  same: boolean;
  /** The last number of the log. */
  head: number;
  entries: LogEntry[];
  /** The position of the last entry, that which was asked for where there are none. */
  next: LogPosition;
  /** Holds what an operator asks of the follower. */
  wanted: FollowerRequest | null;
};

/**
 * Reads up to `limit` changes after a position, in their order. One statement: what is read belongs to the row that the
 * position is compared with, whichever server answers.
 */
async function readLog(
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
async function logHead(sql: Sql): Promise<LogPosition> {
  const [row] = await sql<LogPosition[]>`select seq, mark from article_log order by seq desc limit 1`;
  return row ?? LOG_START;
}

/** Returns up to `limit` keys of indexed articles above `after`, ascending: what an index that is right holds. */
async function indexedKeys(sql: Sql, after: number, limit: number): Promise<number[]> {
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
async function pruneLog(sql: Sql, { olderThanS }: { olderThanS: number }): Promise<number> {
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

/** The channel on which a change of the chunks is announced. */
export const CHUNKS_CHANNEL = "isnad_chunks";

const EVENT_COLUMNS = Object.keys(EventArticle.shape);

const CHANGE_LOCK = 4_922_051_774;

/**
 * Takes, until the transaction ends, the lock under which change numbers are given out: numbers then become visible in
 * their own order. Take it late; everybody who writes chunks or events waits for it.
 */
export async function lockChanges(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${CHANGE_LOCK})`;
}

/** The `article` of an event, built by Postgres from a row of table `articles` named `a`. */
export function eventArticle(sql: Sql | Tx) {
  return jsonObject(sql, EVENT_COLUMNS, "a");
}

/**
 * Calls `onChange` after each commit that changed chunks, and after each reconnection, when something may have been
 * missed. A notice can be lost with the connection: poll now and then as well. Returns how to stop.
 */
async function listenChunks(sql: Sql, onChange: () => void): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(CHUNKS_CHANNEL, onChange, onChange);
  return unlisten;
}

/** Makes the statements over followers of the log. */
export function followerStore(sql: Sql) {
  return {
    lease: (name: string, lease: Lease) => repeating(() => leaseFollower(sql, name, lease)),
    free: (name: string, owner: string) => repeating(() => freeFollower(sql, name, owner)),
    put: (report: FollowerReport) => repeating(() => putFollower(sql, report)),
    list: () => repeating(() => listFollowers(sql)),
    ask: (kind: string, wanted: FollowerRequest) => repeating(() => askFollowers(sql, kind, wanted)),
    settle: (name: string) => repeating(() => settleFollower(sql, name)),
    leave: (name: string) => repeating(() => leaveFollower(sql, name)),
    prune: () => repeating(() => pruneFollowers(sql)),
  };
}

/** Holds what a follower does: it fills its index for the first time, makes it equal again, keeps up, or fails. */
export type FollowerState = "filling" | "healing" | "following" | "failing";

/** Says how a follower stands. */
type FollowerReport = {
  name: string;
  state: FollowerState;
  seq: number;
  /** Says how often it found its index of another history, or of no use. */
  resets: number;
  /** Why it began again the last time, or why it fails; null where it never did. */
  reason: string | null;
};

/**
 * Takes, or keeps, the right to feed what `name` feeds. Returns false while another owner has it. Who holds a right and
 * never says how it stands is no follower that is listed.
 */
async function leaseFollower(sql: Sql, name: string, { owner, leaseS }: Lease): Promise<boolean> {
  const { count } = await sql`
    insert into followers as f (name, state, lease_owner, lease_until, updated_at)
    values (${name}, 'filling', ${owner}, now() + make_interval(secs => ${leaseS}), to_timestamp(0))
    on conflict (name) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
    where f.lease_owner is null or f.lease_owner = excluded.lease_owner or f.lease_until < now()`;
  return count > 0;
}

/** Gives that right back. */
async function freeFollower(sql: Sql, name: string, owner: string): Promise<void> {
  await sql`
    update followers set lease_owner = null, lease_until = null where name = ${name} and lease_owner = ${owner}`;
}

/** Writes down how a follower stands. */
async function putFollower(sql: Sql, { name, state, seq, resets, reason }: FollowerReport): Promise<void> {
  await sql`
    insert into followers (name, state, seq, resets, reason) values (${name}, ${state}, ${seq}, ${resets}, ${reason})
    on conflict (name) do update set state = excluded.state, seq = excluded.seq, resets = excluded.resets,
      reason = excluded.reason, updated_at = now()`;
}

/** Followers that said nothing for so long are gone. */
const SILENT_S = 3_600;

/** A follower that said nothing for so long does not run, in seconds. */
export const FOLLOWER_SILENT_S = 20;

/** A follower as doctor and health show it. */
export type FollowerFacts = FollowerReport & { behind: number; silentS: number; wanted: FollowerRequest | null };

/** Returns how the followers stand that are still heard of. */
export async function listFollowers(sql: Sql): Promise<FollowerFacts[]> {
  return await sql<FollowerFacts[]>`
    select name, state, seq, resets, reason, wanted, extract(epoch from now() - updated_at)::float8 as "silentS",
      (select count(*)::int from (select from article_log l where l.seq > f.seq limit 100000) as later) as behind
    from followers f where updated_at > now() - make_interval(secs => ${SILENT_S}) order by name`;
}

/** Asks the followers of a kind (`keyword`, `vectors`) that are known; returns their names. */
async function askFollowers(sql: Sql, kind: string, wanted: FollowerRequest): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    update followers set wanted = ${wanted} where split_part(name, '@', 1) = ${kind} returning name`;
  await sql`select pg_notify(${CHUNKS_CHANNEL}, '')`;
  return rows.map(({ name }) => name);
}

/** Says that what was asked of a follower is done. */
async function settleFollower(sql: Sql, name: string): Promise<void> {
  await sql`update followers set wanted = null where name = ${name}`;
}

/** Forgets a follower that has ended, unless something is asked of the next one of its name. */
async function leaveFollower(sql: Sql, name: string): Promise<void> {
  await sql`update followers set updated_at = updated_at - make_interval(secs => ${SILENT_S}) where name = ${name}`;
  await sql`delete from followers where name = ${name} and wanted is null`;
}

/** Forgets followers that were not heard of for a day. */
async function pruneFollowers(sql: Sql): Promise<void> {
  await sql`
    delete from followers where updated_at < now() - interval '1 day' and (lease_until is null or lease_until < now())`;
}
