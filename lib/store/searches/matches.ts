import { nameKey } from "../../text/mod.ts";
import { type Article, type ArticleField, iso, select } from "../articles/columns.ts";
import { packVectors, unpackVector } from "../chunks.ts";
import type { Sql, Tx } from "../client.ts";
import { lockChanges } from "../log.ts";
import { writeEvents } from "../outbox.ts";
import { repeating, transaction } from "../transaction.ts";
import type { LogPosition } from "../values.ts";
import { lockSearches, type SearchesVersion, searchesVersion } from "./saved.ts";
import type { DigestInterval, EventArticle } from "../../contract/mod.ts";
import { claiming, free, heartbeat, type Lease, type LeaseTable } from "../lease.ts";

/** Makes the statements over matches of saved searches. */
export function matchStore(sql: Sql) {
  return {
    matches: (searchId: number, page: { before?: number | undefined; limit: number }) =>
      repeating(() => listMatches(sql, searchId, page)),
    putMatches: (batch: MatchBatch) => putMatches(sql, batch),
    position: () => repeating(() => watchPosition(sql)),
    setPosition: (position: LogPosition) => repeating(() => setWatchPosition(sql, position)),
    watched: (after: number, limit: number) => repeating(() => watchedIds(sql, after, limit)),
    rechecks: (limit: number) => repeating(() => pendingRechecks(sql, limit)),
    endRechecks: (rechecks: readonly Recheck[]) => repeating(() => endRechecks(sql, rechecks)),
    entitiesOf: (articleIds: readonly number[]) => repeating(() => entitiesOfArticles(sql, articleIds)),
    entityIds: (names: readonly string[]) => repeating(() => entityIdsOf(sql, names)),
    vectors: (modelId: string) => repeating(() => searchVectors(sql, modelId)),
    putVectors: (modelId: string, vectors: readonly SearchVector[]) =>
      repeating(() => putSearchVectors(sql, modelId, vectors)),
  };
}

/** An article that a search matches; `similarity` where it does so by meaning. */
export type NewMatch = { searchId: number; articleId: number; similarity: number | null };

/** Matches of some changes of the log. */
type MatchBatch = {
  matches: readonly NewMatch[];
  /** The searches that were looked at. */
  version: SearchesVersion;
  /** Names the changes: those after `from` up to `to`; left out where they are looked at again. */
  step?: { from: LogPosition; to: LogPosition } | undefined;
};

/** Says what came of a batch: nothing where a search was changed meanwhile, or another process was there before. */
type MatchOutcome = { state: "stored"; matches: number; told: number } | { state: "changed" } | { state: "overtaken" };

/**
 * Stores matches, each once, with the events of those that have a webhook, and up to where the log was followed: all or
 * nothing. Only what became searchable since a search watches counts.
 */
async function putMatches(sql: Sql, { matches, version, step }: MatchBatch): Promise<MatchOutcome> {
  const work = async (tx: Tx): Promise<MatchOutcome> => {
    await lockSearches(tx, { shared: true });
    const now = await searchesVersion(tx);
    if (now.changeNo !== version.changeNo || now.searches !== version.searches) return { state: "changed" };
    if (step !== undefined) {
      const { count } = await tx`
        select from search_watch where seq = ${step.from.seq} and mark = ${step.from.mark} for update`;
      if (count === 0) return { state: "overtaken" };
      await tx`update search_watch set seq = ${step.to.seq}, mark = ${step.to.mark}, at = now()`;
    }
    if (matches.length === 0) return { state: "stored", matches: 0, told: 0 };
    const stored = await insertMatches(tx, matches);
    const told = stored.filter(({ webhook }) => webhook !== null);
    await writeEvents(
      tx,
      told.map(({ searchId, articleId, name }) => ({
        ...{ type: "search.matched", articleId, subject: { kind: "search", id: searchId } },
        data: { search_id: searchId, name },
      })),
    );
    await tx`
      update saved_searches set due_at = case digest when 'none' then now()
        when 'hourly' then date_trunc('hour', now(), 'UTC') + interval '1 hour'
        else date_trunc('day', now(), 'UTC') + interval '1 day' end
      where search_id = any(${[...new Set(told.map(({ searchId }) => searchId))]}::bigint[]) and due_at is null`;
    return { state: "stored", matches: stored.length, told: told.length };
  };
  return await transaction(sql, work, { repeatable: true });
}

type StoredMatch = { searchId: number; articleId: number; name: string; webhook: string | null };

async function insertMatches(tx: Tx, matches: readonly NewMatch[]): Promise<StoredMatch[]> {
  const searchIds = matches.map(({ searchId }) => searchId);
  const articleIds = matches.map(({ articleId }) => articleId);
  const similarities = matches.map(({ similarity }) => similarity);
  await lockChanges(tx);
  return await tx<StoredMatch[]>`
    with given as (
      select * from unnest(${searchIds}::bigint[], ${articleIds}::bigint[], ${similarities}::float8[])
        with ordinality as g (search_id, article_id, similarity, n)
    ), stored as (
      insert into search_matches (search_id, article_id, match_no, similarity)
      select search_id, article_id, nextval('change_seq'), similarity from (
        select g.* from given g
          join saved_searches s on s.search_id = g.search_id and s.active
          join articles a on a.article_id = g.article_id and a.searchable_at >= s.watched_from
        order by g.n
      ) as g
      on conflict do nothing
      returning search_id, article_id, match_no
    )
    select search_id as "searchId", article_id as "articleId", s.name, s.webhook
    from stored join saved_searches s using (search_id) order by match_no`;
}

/** Returns up to where the log was followed; undefined before the first time. */
async function watchPosition(sql: Sql): Promise<LogPosition | undefined> {
  const [row] = await sql<LogPosition[]>`select seq, mark from search_watch`;
  return row;
}

/** Says up to where the log counts as followed. */
async function setWatchPosition(sql: Sql, { seq, mark }: LogPosition): Promise<void> {
  await sql`
    insert into search_watch (seq, mark) values (${seq}, ${mark})
    on conflict (one) do update set seq = excluded.seq, mark = excluded.mark, at = now()`;
}

/**
 * Returns up to `limit` of the ids, above `after`, of articles that became searchable before the log was last followed,
 * with an hour to spare: what has been looked at.
 */
async function watchedIds(sql: Sql, after: number, limit: number): Promise<{ articleId: number; docId: string }[]> {
  return await sql<{ articleId: number; docId: string }[]>`
    select article_id as "articleId", doc_id as "docId" from articles
    where article_id >= ${after} and state = 'indexed' and coalesce(searchable_at, '-infinity') < (
      select at - interval '1 hour' from search_watch)
    order by article_id limit ${limit}`;
}

/** Fields of an article that a list of matches shows. */
const MATCH_FIELDS = [
  "articleId",
  "docId",
  "title",
  "url",
  "sourceId",
  "lang",
  "categoryId",
  "publishedAt",
  "authors",
  "summary",
] as const satisfies readonly ArticleField[];

/** A match with its article. */
export type SearchMatch = Pick<Article, (typeof MATCH_FIELDS)[number]> & {
  matchNo: number;
  matchedAt: string;
  similarity: number | null;
};

/** Lists the matches of a search, the newest first, those before number `before`. */
async function listMatches(
  sql: Sql,
  searchId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<SearchMatch[]> {
  return await sql<SearchMatch[]>`
    select ${select(sql, MATCH_FIELDS)}, match_no as "matchNo", ${sql.unsafe(iso("matched_at"))} as "matchedAt", similarity::float8 as similarity
    from search_matches join articles using (article_id)
    where search_id = ${searchId} and match_no < ${before} order by match_no desc limit ${limit}`;
}

/** The vector of a search's words. */
export type SearchVector = { searchId: number; vector: Float32Array; whole: boolean };

/** Returns the vectors of searches by a model. */
async function searchVectors(sql: Sql, modelId: string): Promise<SearchVector[]> {
  const rows = await sql<{ searchId: number; vector: Buffer; whole: boolean }[]>`
    select search_id as "searchId", vector, whole from search_vectors where model_id = ${modelId}`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: unpackVector(vector) }));
}

/** Stores the vectors of searches by a model; searches that are gone are left out. */
async function putSearchVectors(sql: Sql, modelId: string, vectors: readonly SearchVector[]): Promise<void> {
  if (vectors.length === 0) return;
  // All vectors in one value, cut up again over there, as those of passages.
  const all = packVectors(vectors.map(({ vector }) => vector));
  const bytes = all.length / vectors.length;
  await sql`
    insert into search_vectors (search_id, model_id, vector, whole)
    select s.search_id, ${modelId}, substring(${all}::bytea from ((v.n - 1) * ${bytes} + 1)::int for ${bytes}::int), v.whole::boolean
    from unnest(${vectors.map(({ searchId }) => searchId)}::bigint[], ${vectors.map(({ whole }) => String(whole))}::text[])
        with ordinality as v (search_id, whole, n)
      join saved_searches s using (search_id)
    on conflict (search_id, model_id) do update set vector = excluded.vector, whole = excluded.whole`;
}

/**
 * An article that is to be looked at again: its entities have become known, or, `refuted`, it makes a claim after a
 * review has refuted it.
 */
type Recheck = { articleId: number; refuted: boolean };

/** Returns what is to be looked at again, at most `limit`. */
async function pendingRechecks(sql: Sql, limit: number): Promise<Recheck[]> {
  return await sql<Recheck[]>`
    select article_id as "articleId", refuted from search_rechecks order by article_id, refuted limit ${limit}`;
}

/** Forgets what was looked at again. */
async function endRechecks(sql: Sql, rechecks: readonly Recheck[]): Promise<void> {
  await sql`
    delete from search_rechecks where (article_id, refuted) in (
      select * from unnest(${rechecks.map(({ articleId }) => articleId)}::bigint[],
        ${rechecks.map(({ refuted }) => String(refuted))}::text[]::boolean[]))`;
}

/** Notes that the entities of these articles are known, where a search asks for some. */
export async function noteEntities(tx: Tx, articleIds: readonly number[]): Promise<void> {
  await tx`
    insert into search_rechecks (article_id) select unnest(${[...articleIds]}::bigint[])
    where exists (select from saved_searches where of_entities) on conflict do nothing`;
}

/** Notes that these articles make refuted claims, where a search asks for such. */
export async function noteRefuted(tx: Tx, articleIds: readonly number[]): Promise<void> {
  await tx`
    insert into search_rechecks (article_id, refuted) select unnest(${[...articleIds]}::bigint[]), true
    where exists (select from saved_searches where of_claims) on conflict do nothing`;
}

/** Returns the numbers of the entities of articles. */
async function entitiesOfArticles(sql: Sql, articleIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const rows = await sql<{ articleId: number; entityIds: number[] }[]>`
    select article_id as "articleId", array_agg(distinct entity_id) as "entityIds" from article_entities
    where article_id = any(${[...articleIds]}::bigint[]) group by article_id`;
  return new Map(rows.map(({ articleId, entityIds }) => [articleId, new Set(entityIds)]));
}

/** Returns the numbers of entities by what searches call them: a number, or a name in any spelling. */
async function entityIdsOf(sql: Sql, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await sql<{ name: string; id: number }[]>`
    select distinct on (n.name) n.name, named.entity_id as id
    from unnest(${[...names]}::text[], ${names.map(nameKey)}::text[]) as n (name, key)
    cross join lateral (
      select 0 as rank, entity_id from entities where entity_id = case when n.name ~ '^[1-9][0-9]{0,14}$' then n.name::bigint end
      union all select 1, entity_id from entities where name_key = n.key
      union all select 2, entity_id from entity_aliases where name_key = n.key
    ) as named order by n.name, named.rank`;
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** Makes the statements over deliveries of matches. */
export function hookStore(sql: Sql) {
  return {
    claim: (options: Lease & { limit: number; failing: boolean }) => claimHooks(sql, options),
    heartbeat: (lease: Lease) => repeating(() => heartbeatHooks(sql, lease)),
    release: (owner: string) => repeating(() => releaseHooks(sql, owner)),
    events: (searchId: number, limit: number) => repeating(() => eventsOfSearch(sql, searchId, limit)),
    ack: (owner: string, searchId: number, upTo: { eventId: number; next: boolean }) =>
      repeating(() => ackHook(sql, owner, searchId, upTo)),
    defer: (owner: string, searchId: number, failure: { reason: string; delayS: number }) =>
      repeating(() => deferHook(sql, owner, searchId, failure)),
    settle: (owner: string, searchId: number) => settleHook(sql, owner, searchId),
  };
}

/** Searches with events that their webhook has not taken. */
const HOOKS: LeaseTable = {
  name: "saved_searches",
  key: ["search_id"],
  open: "w.due_at is not null and w.webhook is not null",
};

/** A search whose webhook is due. */
export type DueHook = {
  searchId: number;
  name: string;
  webhook: string;
  digest: DigestInterval;
  feedKey: string | null;
  /** Counts the claims of its next event before this one: above 0 it may have been delivered. */
  attempts: number;
  /** Deliveries that failed in a row. */
  failures: number;
};

/** An event of a search that its webhook has not taken. */
export type HookEvent = { id: number; occurredAt: string; article: EventArticle };

/**
 * Claims searches that are due, the longest due first. `failing`: of those whose last delivery failed, else of the
 * others, so that these wait for none that fail.
 */
async function claimHooks(
  sql: Sql,
  { limit, failing, ...lease }: Lease & { limit: number; failing: boolean },
): Promise<DueHook[]> {
  return await sql<DueHook[]>`
    with ${claiming(sql, HOOKS, lease, {
      where: sql`and w.due_at <= now() and ${failing ? sql`w.failures > 0` : sql`w.failures = 0`}`,
      orderBy: "w.due_at",
      limit,
    })}
    select search_id as "searchId", name, webhook, digest, feed_key as "feedKey", attempts - 1 as attempts, failures
    from claimed order by due_at`;
}

/** Renews the lease of what this owner holds; returns how many searches. */
async function heartbeatHooks(sql: Sql, lease: Lease): Promise<number> {
  return await heartbeat(sql, HOOKS, lease);
}

/** Gives back what this owner holds. What was under way counts as tried, for it may have arrived. */
async function releaseHooks(sql: Sql, owner: string): Promise<void> {
  await sql`update saved_searches set ${free(sql)} where lease_owner = ${owner}`;
}

/** Returns the next events of a search, in their order; those of articles that are gone are left out. */
async function eventsOfSearch(sql: Sql, searchId: number, limit: number): Promise<HookEvent[]> {
  return await sql<HookEvent[]>`
    select event_id as id, ${sql.unsafe(iso("occurred_at"))} as "occurredAt", article
    from outbox o
    where subject = ${`search:${searchId}`} and type = 'search.matched'
      and event_id > (select delivered_id from saved_searches where search_id = ${searchId})
      and exists (select from search_matches m where m.search_id = ${searchId} and m.article_id = o.article_id)
    order by event_id limit ${limit}`;
}

/** Notes that the webhook has taken the events up to `eventId`; `next`: the one after it is sent at once. */
async function ackHook(
  sql: Sql,
  owner: string,
  searchId: number,
  { eventId, next }: { eventId: number; next: boolean },
): Promise<boolean> {
  const { count } = await sql`
    update saved_searches set delivered_id = ${eventId}, attempts = ${next ? 1 : 0}, failures = 0, last_error = null
    where search_id = ${searchId} and lease_owner = ${owner}`;
  return count > 0;
}

const REASON_LENGTH = 1000;

/** Puts the next delivery of a search off, and says why. */
async function deferHook(
  sql: Sql,
  owner: string,
  searchId: number,
  { reason, delayS }: { reason: string; delayS: number },
): Promise<void> {
  await sql`
    update saved_searches set ${free(sql)}, failures = failures + 1, last_error = ${reason.slice(0, REASON_LENGTH)},
      due_at = now() + make_interval(secs => ${delayS})
    where search_id = ${searchId} and lease_owner = ${owner}`;
}

/** Lets a search go whose events were sent; it is due again where more have come. */
async function settleHook(sql: Sql, owner: string, searchId: number): Promise<void> {
  await transaction(sql, async (tx) => {
    // The next statement sees what was written by whoever held the row before.
    await tx`select from saved_searches where search_id = ${searchId} for update`;
    await tx`
      update saved_searches s set ${free(tx)}, attempts = 0, due_at = case when exists (
        select from outbox o where subject = ${`search:${searchId}`} and event_id > s.delivered_id
          and exists (select from search_matches m where m.search_id = s.search_id and m.article_id = o.article_id)
      ) then now() end
      where search_id = ${searchId} and lease_owner = ${owner}`;
  });
}
