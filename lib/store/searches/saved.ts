import { randomBytes } from "node:crypto";
import type { DigestInterval } from "../../contract/mod.ts";
import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { repeating, transaction } from "../transaction.ts";
import { type Json, jsonText } from "../values.ts";

/** Makes the statements over saved searches. */
export function savedStore(sql: Sql) {
  return {
    create: (input: SearchInput) => createSearch(sql, input),
    get: (searchId: number) => repeating(() => getSearch(sql, searchId)),
    list: (page: { before?: number | undefined; limit: number }) => repeating(() => listSearches(sql, page)),
    update: (searchId: number, change: Partial<SearchInput>) => updateSearch(sql, searchId, change),
    changeFeedKey: (searchId: number, options: { revoke: boolean }) => changeFeedKey(sql, searchId, options),
    remove: (searchId: number) => removeSearch(sql, searchId),
    version: () => repeating(() => searchesVersion(sql)),
    since: (changeNo: number) => searchesSince(sql, changeNo),
  };
}

/** A search that is kept; times are ISO 8601 in UTC. */
export type SavedSearch = {
  searchId: number;
  name: string;
  /** The parameters as they were given, with their defaults. */
  query: { [key: string]: Json };
  minSimilarity: number | null;
  active: boolean;
  webhook: string | null;
  digest: DigestInterval;
  /** Null where nobody may read its feeds. */
  feedKey: string | null;
  createdAt: string;
  updatedAt: string;
  matches: number;
  lastMatchAt: string | null;
  /** Deliveries that failed in a row, why the last one did, and when the next is to be. */
  failures: number;
  lastError: string | null;
  dueAt: string | null;
};

/** Holds the fields that a search is made with, and may be changed in. */
export type SearchInput = Pick<SavedSearch, "name" | "query" | "minSimilarity" | "active" | "webhook" | "digest"> & {
  /** Says that its query asks for an entity. */
  ofEntities: boolean;
  /** Says that its query asks for claims. */
  ofClaims: boolean;
};

/** The number of a search's change, and the number of searches: they differ whenever one was changed. */
export type SearchesVersion = { changeNo: number; searches: number };

/** A search as it is matched. */
export type WatchedSearch = Pick<SavedSearch, "searchId" | "name" | "query" | "minSimilarity" | "active"> & {
  changeNo: number;
};

const LOCK = 4_922_051_776;

/** Most matches that are deleted in one statement. */
const DELETED = 10_000;

/** Takes, until the transaction ends, the lock under which searches change; `shared`: under which they stay. */
export async function lockSearches(tx: Tx, { shared = false } = {}): Promise<void> {
  if (shared) await tx`select pg_advisory_xact_lock_shared(${LOCK})`;
  else await tx`select pg_advisory_xact_lock(${LOCK})`;
}

/** Counts no further than this, so that a list costs what its rows cost. */
const MAX_COUNTED = 10_000;

function fields(sql: Sql | Tx) {
  return sql.unsafe(`s.search_id as "searchId", s.name, s.query, s.min_similarity as "minSimilarity", s.active, s.webhook,
    s.digest, s.feed_key as "feedKey", ${iso("s.created_at")} as "createdAt", ${iso("s.updated_at")} as "updatedAt",
    s.failures, s.last_error as "lastError", ${iso("s.due_at")} as "dueAt",
    (select count(*)::int from (select from search_matches m where m.search_id = s.search_id limit ${MAX_COUNTED}) as c) as matches,
    (select ${iso("m.matched_at")} from search_matches m where m.search_id = s.search_id
      order by m.match_no desc limit 1) as "lastMatchAt"`);
}

/** Returns a key that cannot be guessed. */
function newFeedKey(): string {
  return randomBytes(24).toString("base64url");
}

/** Keeps a search. */
async function createSearch(sql: Sql, input: SearchInput): Promise<SavedSearch> {
  const { name, query, minSimilarity, active, webhook, digest, ofEntities, ofClaims } = input;
  return await transaction(sql, async (tx) => {
    await lockSearches(tx);
    const [row] = await tx<{ id: number }[]>`
      insert into saved_searches (name, query, of_entities, of_claims, min_similarity, active, webhook, digest, feed_key, change_no, watched_from)
      values (${name}, ${jsonText(query)}::text::jsonb, ${ofEntities}, ${ofClaims}, ${minSimilarity}, ${active}, ${webhook}, ${digest},
        ${newFeedKey()}, nextval('saved_search_changes'), clock_timestamp())
      returning search_id as id`;
    const search = await getSearch(tx, row?.id ?? 0);
    if (search === undefined) throw new Error("the search is not there");
    return search;
  });
}

/** Returns the search of this number. */
async function getSearch(sql: Sql | Tx, searchId: number): Promise<SavedSearch | undefined> {
  const [search] = await sql<SavedSearch[]>`select ${fields(sql)} from saved_searches s where search_id = ${searchId}`;
  return search;
}

/** Lists searches, the newest first, those before number `before`. */
async function listSearches(
  sql: Sql,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<SavedSearch[]> {
  return await sql<SavedSearch[]>`
    select ${fields(sql)} from saved_searches s where search_id < ${before} order by search_id desc limit ${limit}`;
}

/**
 * Changes a search. Another query, and one that is no longer paused, is matched by what becomes searchable from now on;
 * another webhook gets what comes from now on. Returns undefined where there is none of this number.
 */
async function updateSearch(
  sql: Sql,
  searchId: number,
  change: Partial<SearchInput>,
): Promise<SavedSearch | undefined> {
  return await transaction(sql, async (tx) => {
    await lockSearches(tx);
    const before = await getSearch(tx, searchId);
    if (before === undefined) return undefined;
    const { name, query, minSimilarity, active, webhook, digest } = { ...before, ...change };
    const isOther = change.query !== undefined && jsonText(change.query) !== jsonText(before.query);
    const begins = isOther || (active && !before.active);
    const isMoved = webhook !== before.webhook;
    if (isOther) await tx`delete from search_vectors where search_id = ${searchId}`;
    await tx`
      update saved_searches set name = ${name}, query = ${jsonText(query)}::text::jsonb,
        of_entities = coalesce(${change.ofEntities ?? null}, of_entities),
        of_claims = coalesce(${change.ofClaims ?? null}, of_claims), min_similarity = ${minSimilarity},
        active = ${active}, webhook = ${webhook}, digest = ${digest}, updated_at = now(),
        change_no = nextval('saved_search_changes'),
        watched_from = case when ${begins} then clock_timestamp() else watched_from end,
        failures = case when ${isMoved} then 0 else failures end,
        attempts = case when ${isMoved} then 0 else attempts end,
        last_error = case when ${isMoved} then null else last_error end,
        delivered_id = case when ${isMoved} then (select coalesce(max(event_id), 0) from outbox) else delivered_id end,
        due_at = case when ${isMoved} then null else due_at end
      where search_id = ${searchId}`;
    return await getSearch(tx, searchId);
  });
}

/** Gives the feeds of a search another key, or none. Returns undefined where there is none of this number. */
async function changeFeedKey(
  sql: Sql,
  searchId: number,
  { revoke }: { revoke: boolean },
): Promise<SavedSearch | undefined> {
  await sql`
    update saved_searches set feed_key = ${revoke ? null : newFeedKey()}, updated_at = now() where search_id = ${searchId}`;
  return await getSearch(sql, searchId);
}

/** Deletes a search with its matches and events. Returns whether there was one. */
async function removeSearch(sql: Sql, searchId: number): Promise<boolean> {
  // It matches and tells nothing from here on.
  const paused = await updateSearch(sql, searchId, { active: false, webhook: null });
  if (paused === undefined) return false;
  for (const rest of [
    () => sql`delete from search_matches where ctid = any(array(
      select ctid from search_matches where search_id = ${searchId} limit ${DELETED}))`,
    () => sql`delete from outbox where ctid = any(array(
      select ctid from outbox where subject = ${`search:${searchId}`} limit ${DELETED}))`,
  ]) {
    while ((await rest()).count === DELETED);
  }
  return await transaction(sql, async (tx) => {
    await lockSearches(tx);
    await tx`delete from outbox where subject = ${`search:${searchId}`}`;
    return (await tx`delete from saved_searches where search_id = ${searchId}`).count > 0;
  });
}

/** Returns what differs whenever a search was made, changed or deleted. */
export async function searchesVersion(sql: Sql | Tx): Promise<SearchesVersion> {
  const [row] = await sql<SearchesVersion[]>`
    select coalesce(max(change_no), 0)::float8 as "changeNo", count(*)::int as searches from saved_searches`;
  return row ?? { changeNo: 0, searches: 0 };
}

/** Returns the numbers of all searches, and those that were changed after `changeNo`. */
async function searchesSince(
  sql: Sql,
  changeNo: number,
): Promise<{ version: SearchesVersion; ids: number[]; changed: WatchedSearch[] }> {
  return await transaction(sql, async (tx) => {
    await lockSearches(tx, { shared: true });
    const version = await searchesVersion(tx);
    const ids = await tx<{ id: number }[]>`select search_id as id from saved_searches`;
    const changed = await tx<WatchedSearch[]>`
      select search_id as "searchId", name, query, min_similarity as "minSimilarity", active, change_no::float8 as "changeNo"
      from saved_searches where change_no > ${changeNo} order by search_id`;
    return { version, ids: ids.map(({ id }) => id), changed: [...changed] };
  });
}
