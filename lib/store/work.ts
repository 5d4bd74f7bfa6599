import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { type Fragment, free, giveBack, heartbeat, hold, type Lease, type LeaseTable, unheld } from "./lease.ts";
import { onceConnected, repeating, transaction } from "./transaction.ts";
import { storableText } from "./values.ts";

/** Is notified with the name of a stage that has new work. */
export const WORK_CHANNEL = "isnad_work";

/** A stretch of articles, up to `limit` of them with an id above `afterId`. */
export type Stretch = { afterId: number; limit: number };

/** Holds what was done of a stretch: its last id (undefined behind the last article), and how many were queued. */
type Enlisted = { lastId: number | undefined; enlisted: number };

/** Says which articles of `stretch`, a table of numbers and states, are queued for which stage, and how soon. */
type Enlisting = {
  stage: string;
  priority?: number;
  due: Fragment;
  /** Queues again what was set aside. */
  revive?: boolean;
};

/**
 * Queues articles of a stretch for a stage. What is queued, or was set aside without `revive`, stays as it is.
 * Idempotent, and one short transaction, whatever the number of articles.
 */
export async function enlistStretch(
  sql: Sql,
  { afterId, limit }: Stretch,
  { stage, priority = 0, due, revive = false }: Enlisting,
): Promise<Enlisted> {
  const known = revive
    ? sql`do update set attempts = 0, due_at = now(), priority = excluded.priority, set_aside_at = null, reason = null
        where w.set_aside_at is not null`
    : sql`do nothing`;
  const work = async (tx: Tx): Promise<Enlisted> => {
    const [row] = await tx<{ lastId: number | null; enlisted: number }[]>`
      with stretch as materialized (
        select article_id, state from articles where article_id > ${afterId} order by article_id limit ${limit}
      ), due as materialized (
        select a.article_id from articles a where a.article_id in (${due}) order by a.article_id for key share
      ), put as (
        insert into work as w (article_id, stage, priority) select article_id, ${stage}, ${priority}::smallint from due
        on conflict (article_id, stage) ${known} returning 1
      ), announced as (
        select pg_notify(${WORK_CHANNEL}, ${stage}) where exists (select from put)
      )
      select (select max(article_id) from stretch) as "lastId", (select count(*)::int from put) as enlisted
      from (select count(*) from announced) as a`;
    return { lastId: row?.lastId ?? undefined, enlisted: row?.enlisted ?? 0 };
  };
  return await transaction(sql, work, { repeatable: true });
}

/**
 * Ends a stage for those of these articles that its owner still holds, and queues them for the stages that follow: in
 * the transaction that stores what the stage made. Returns the ids that were held.
 */
export async function moveOn(
  tx: Sql | Tx,
  { stage, owner, next }: Step,
  articleIds: readonly number[],
): Promise<number[]> {
  if (articleIds.length === 0) return [];
  const rows = await tx<{ id: number }[]>`
    with ended as (
      delete from work where article_id = any(${[...articleIds]}::bigint[]) and stage = ${stage} and lease_owner = ${owner}
      returning article_id, priority
    ), following as (
      insert into work (article_id, stage, priority)
      select article_id, stage, priority from ended, unnest(${[...next]}::text[]) as stage
      on conflict do nothing
    ), announced as (
      select pg_notify(${WORK_CHANNEL}, stage) from unnest(${[...next]}::text[]) as stage
      where exists (select from ended)
    )
    select article_id as id from ended cross join (select count(*) from announced) as a order by article_id`;
  return rows.map(({ id }) => id);
}

const TABLE: LeaseTable = { name: "work", key: ["article_id", "stage"], open: "true" };

/** Code units of a reason that are kept. */
const MAX_REASON = 2_000;

/** Makes the statements over the table of work. */
export function workStore(sql: Sql) {
  return {
    claim: (claim: WorkClaim) => onceConnected(() => claimWork(sql, claim)),
    /** Renews the lease of what this owner holds; returns how many articles. */
    heartbeat: (lease: Lease) => repeating(() => heartbeat(sql, TABLE, lease)),
    release: (owner: string) => repeating(() => releaseWork(sql, owner)),
    /** Ends a stage where it stored nothing; see {@link moveOn}. */
    end: (step: Step, articleIds: readonly number[]) => repeating(() => moveOn(sql, step, articleIds)),
    fail: (step: Omit<Step, "next">, failures: readonly WorkFailure[], rule: FailureRule) =>
      failWork(sql, step, failures, rule),
    retry: (query: RetryQuery) => retryWork(sql, query),
    backlog: () => repeating(() => countWork(sql)),
    setAside: (options: { limit: number; stage?: string | undefined }) => repeating(() => listSetAside(sql, options)),
    listen: (onWork: (stage: string | undefined) => void) => listenWork(sql, onWork),
  };
}

/**
 * Claims articles of a stage that are due, the newest of the highest priority first, each to one owner. What was
 * attempted before comes alone, so that what failed or ended its process takes no other with it.
 */
async function claimWork(sql: Sql, { stage, limit, ...lease }: WorkClaim): Promise<WorkItem[]> {
  return await sql<WorkItem[]>`
    with due as materialized (
      select w.article_id, w.priority, w.attempts, w.lease_owner from work w
      where w.stage = ${stage} and w.set_aside_at is null and w.due_at <= now() and ${unheld(sql)}
      order by w.priority desc, w.article_id desc limit ${limit}
      for update skip locked
    ), placed as (
      select article_id, attempts, lease_owner is not null as orphaned,
        row_number() over newest as place, first_value(attempts) over newest as first_attempts
      from due window newest as (order by priority desc, article_id desc)
    ), chosen as (
      select article_id, orphaned from placed
      where case when first_attempts > 0 then place = 1 else attempts = 0 end
    )
    update work w set ${hold(sql, lease)}, attempts = w.attempts + 1
    from chosen where w.article_id = chosen.article_id and w.stage = ${stage}
    returning w.article_id as "articleId", w.attempts, orphaned,
      floor(extract(epoch from w.queued_at) * 1000)::float8 as "queuedAtMs"`;
}

/** Gives back what this owner holds, as if it had not been claimed, and wakes those who may take it. */
async function releaseWork(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ released: number }[]>`
    with given as (update work w set ${giveBack(sql)} where w.lease_owner = ${owner} returning stage)
    select count(*)::int as released from given`;
  return row?.released ?? 0;
}

/**
 * Settles failed attempts of this owner: each article is tried again later, or set aside once it has had its attempts.
 * One that is not searchable yet is then `failed` for its readers. Returns the ids that were set aside.
 */
async function failWork(
  sql: Sql,
  { stage, owner }: Omit<Step, "next">,
  failures: readonly WorkFailure[],
  { maxAttempts, version }: FailureRule,
): Promise<number[]> {
  if (failures.length === 0) return [];
  const ids = failures.map(({ articleId }) => articleId);
  const reasons = failures.map(({ reason }) => storableText(reason).slice(0, MAX_REASON).toWellFormed());
  const delays = failures.map(({ delayS }) => delayS);
  const work = async (tx: Tx): Promise<number[]> => {
    // In the order of all writers: the article first.
    await tx`select from articles where article_id = any(${ids}::bigint[]) order by article_id for no key update`;
    const rows = await tx<{ id: number }[]>`
      with failed as (
        update work w set ${free(tx)}, reason = f.reason, due_at = now() + make_interval(secs => f.delay),
          set_aside_at = case when w.attempts >= ${maxAttempts} then now() end, version = ${version ?? null}
        from unnest(${ids}::bigint[], ${reasons}::text[], ${delays}::float8[]) as f (id, reason, delay)
        where w.article_id = f.id and w.stage = ${stage} and w.lease_owner = ${owner}
        returning w.article_id, w.reason, w.set_aside_at
      ), unreadable as (
        update articles a set state = 'failed', state_reason = f.reason, updated_at = now()
        from failed f
        where a.article_id = f.article_id and f.set_aside_at is not null and a.state in ('accepted', 'normalized')
      )
      select article_id as id from failed where set_aside_at is not null order by 1`;
    return rows.map(({ id }) => id);
  };
  return await transaction(sql, work, { repeatable: true });
}

/**
 * Queues what was set aside afresh, and articles that failed without being set aside from their start. Idempotent.
 * Returns how many rows of work there are now to do.
 */
async function retryWork(sql: Sql, { articleIds, stage, notBy }: RetryQuery): Promise<number> {
  const ids = articleIds === undefined ? undefined : [...articleIds];
  const work = async (tx: Tx): Promise<number> => {
    const [row] = await tx<{ retried: number }[]>`
      with afresh as (
        update work w set set_aside_at = null, attempts = 0, reason = null, due_at = now(), queued_at = now(), ${free(tx)}
        where w.set_aside_at is not null
          ${ids === undefined ? tx`` : tx`and w.article_id = any(${ids}::bigint[])`}
          ${stage === undefined ? tx`` : tx`and w.stage = ${stage}`}
          ${notBy === undefined ? tx`` : tx`and w.version is distinct from ${notBy}`}
        returning w.article_id, w.stage
      ), restored as (
        update articles a set state_reason = null, updated_at = now(),
          state = case f.stage when 'ingestion' then 'accepted' else 'normalized' end
        from afresh f
        where a.article_id = f.article_id and a.state = 'failed' and f.stage in ('ingestion', 'analysis')
      ), refused as (
        select article_id from articles a
        where ${ids === undefined ? tx`false` : tx`a.article_id = any(${ids}::bigint[])`} and a.state = 'failed'
          and ${stage === undefined} and not exists (select from afresh f where f.article_id = a.article_id)
      ), started as (
        update articles a set state = 'accepted', state_reason = null, updated_at = now()
        from refused where a.article_id = refused.article_id returning a.article_id
      ), queued as (
        insert into work (article_id, stage) select article_id, 'ingestion' from started
        on conflict do nothing returning article_id, stage
      ), announced as (
        select pg_notify(${WORK_CHANNEL}, stage) from (select stage from afresh union select stage from queued) as s
      )
      select (select count(*) from afresh)::int + (select count(*) from queued)::int as retried
      from (select count(*) from announced) as a`;
    return row?.retried ?? 0;
  };
  return await transaction(sql, work, { repeatable: true });
}

async function countWork(sql: Sql): Promise<StageBacklog[]> {
  return await sql<StageBacklog[]>`
    select stage, count(*) filter (where set_aside_at is null)::int as waiting,
      count(*) filter (where set_aside_at is not null)::int as "setAside"
    from work group by stage order by stage`;
}

/** Lists what was set aside, the newest articles first. */
async function listSetAside(
  sql: Sql,
  { limit, stage }: { limit: number; stage?: string | undefined },
): Promise<SetAside[]> {
  return await sql<SetAside[]>`
    select article_id as "articleId", stage, attempts, reason, ${sql.unsafe(iso("set_aside_at"))} as at from work
    where set_aside_at is not null ${stage === undefined ? sql`` : sql`and stage = ${stage}`}
    order by article_id desc, stage limit ${limit}`;
}

/** Returns the stages that an article has not ended. */
export async function stagesOf(sql: Sql, articleId: number): Promise<ArticleStage[]> {
  return await sql<ArticleStage[]>`
    select stage, attempts, reason,
      case when set_aside_at is not null then 'set-aside' when lease_until > now() then 'running' else 'waiting' end as state
    from work where article_id = ${articleId} order by queued_at, stage`;
}

/**
 * Calls `onWork` with the name of each stage that another connection queues work for, and with undefined after a
 * reconnection, when notices may have been missed. Returns how to stop.
 */
async function listenWork(sql: Sql, onWork: (stage: string | undefined) => void): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(WORK_CHANNEL, onWork, () => onWork(undefined));
  return unlisten;
}

/** An article that a stage has claimed. */
export type WorkItem = {
  articleId: number;
  /** Counts this attempt. */
  attempts: number;
  /** Says when it was queued for this stage, in milliseconds since 1970. */
  queuedAtMs: number;
  /** True when the process that held it before ended without a word. */
  orphaned: boolean;
};

/** A claim on a stage's articles. */
type WorkClaim = Lease & { stage: string; limit: number };

/** In whose hands articles are, and where they go when their stage has ended. */
export type Step = { stage: string; owner: string; next: readonly string[] };

/** Why an attempt at an article failed, and after how long it may be tried again, in seconds. */
type WorkFailure = { articleId: number; reason: string; delayS: number };

/** Says how failures are settled: after `maxAttempts` an article is set aside, by this version of its stage. */
type FailureRule = { maxAttempts: number; version?: string | undefined };

/** Says how many articles of a stage wait or are in flight, and how many were set aside. */
export type StageBacklog = { stage: string; waiting: number; setAside: number };

/** Says where an article stands in a stage that has not ended. */
export type ArticleStage = {
  stage: string;
  state: "waiting" | "running" | "set-aside";
  attempts: number;
  reason: string | null;
};

/** An article that was set aside, and why. */
type SetAside = { articleId: number; stage: string; attempts: number; reason: string | null; at: string };

/** Says which set-aside or failed articles are to be tried again: all conditions that are given must hold. */
type RetryQuery = {
  articleIds?: readonly number[] | undefined;
  stage?: string | undefined;
  /** Only what was set aside by another version of the stage than this one. */
  notBy?: string | undefined;
};
