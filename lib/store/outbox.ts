import type { EventArticle, WebhookEvent } from "../contract/mod.ts";
import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { claiming, free, heartbeat, type Lease, type LeaseTable, release } from "./lease.ts";
import { eventArticle, lockChanges } from "./log.ts";
import { repeating, transaction } from "./transaction.ts";
import { type Json, jsonText } from "./values.ts";

/** Makes the statements over the events of the outbox. */
export function outboxStore(sql: Sql) {
  return {
    claim: (consumer: string, options: ClaimOptions) => claimOutbox(sql, consumer, options),
    heartbeat: (lease: Lease) => repeating(() => heartbeatOutbox(sql, lease)),
    release: (owner: string) => repeating(() => releaseOutbox(sql, owner)),
    ack: (consumer: string, ids: readonly number[]) => repeating(() => ackOutbox(sql, consumer, ids)),
    retry: (owner: string, failures: readonly DeliveryFailure[]) => repeating(() => retryOutbox(sql, owner, failures)),
    prune: (options: PruneOptions) => repeating(() => pruneOutbox(sql, options)),
  };
}

/** A kind of event. */
export type EventKind = WebhookEvent["type"];

type Head = "id" | "type" | "occurred_at" | "article";

/** An event that is to be written. */
export type NewEvent = {
  [K in EventKind]: {
    type: K;
    /** Names the thing whose events are delivered in their order. Default: the article's. */
    subject?: { kind: string; id: string | number };
    /** Holds the rest of what its kind says. */
    data: Omit<Extract<WebhookEvent, { type: K }>, Head>;
  } & (Extract<WebhookEvent, { type: K }> extends { article: EventArticle }
    ? { articleId: number }
    : { articleId?: undefined; subject: { kind: string; id: string | number } });
}[EventKind];

/**
 * Writes events, in their order, in the transaction of the change that they tell of. Call it late: it takes the lock of
 * all changes until the transaction ends. An event whose article is gone is left out.
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, subject, articleId, data }, n) => ({
    ...{ n, type, articleId, data },
    subject: subject === undefined || subject.kind === "article" ? null : `${subject.kind}:${subject.id}`,
  }));
  // Sent together; Postgres runs them in this order. `revision` is where versions before 0.2.0 look. With the limit the
  // look-up of an article is done once; without, once for the list and once for the condition.
  await Promise.all([
    lockChanges(tx),
    tx`
      insert into outbox (event_id, type, subject, article_id, article, data, revision)
      select nextval('change_seq'), type, subject, "articleId", article, nullif(data, '{}'), data->'revision'
      from json_to_recordset(${jsonText(rows)}::text::json)
          as e (n int, type text, subject text, "articleId" bigint, data jsonb)
        left join lateral (
          select ${eventArticle(tx)} as article from articles a where a.article_id = e."articleId" limit 1
        ) as named on true
      where "articleId" is null or article is not null
      order by n`,
  ]);
}

/** The events that a consumer has taken out of the outbox and not acknowledged. */
const DELIVERIES: LeaseTable = {
  name: "outbox_deliveries",
  key: ["consumer", "subject", "event_id"],
  open: "true",
};

/**
 * A consumer that has this many events in hand gets no new ones: it is down, and the outbox is not to be copied for it.
 */
const MAX_IN_HAND = 5_000;

/** Says who claims events, how many, and where a new consumer begins. */
type ClaimOptions = Lease & { limit: number; isFromNow?: boolean | undefined };

/**
 * Claims up to `limit` events for the consumer, in the order of each subject: while one event of a subject is not
 * acknowledged, later ones of this subject wait, and nothing else does. Several processes may share the work of one
 * consumer. A new consumer begins with the oldest event kept, with
 * `isFromNow` behind the newest.
 */
async function claimOutbox(
  sql: Sql,
  consumer: string,
  { limit, isFromNow = false, ...lease }: ClaimOptions,
): Promise<OutboxEvent[]> {
  return await transaction(sql, async (tx) => {
    const position = await lockPosition(tx, consumer, isFromNow);
    const again = await claimAgain(tx, consumer, limit, lease);
    const fresh =
      again.length < limit ? await claimFresh(tx, { consumer, position, limit: limit - again.length }, lease) : [];
    return [...again, ...fresh].sort((a, b) => a.id - b.id);
  });
}

/** The consumer's position in the outbox, locked so that two claims do not take the same events. */
async function lockPosition(tx: Tx, consumer: string, isFromNow: boolean): Promise<number> {
  const find = () => tx<{ position: number }[]>`
    select position from outbox_consumers where consumer = ${consumer} for update`;
  const [known] = await find();
  if (known !== undefined) return known.position;
  await tx`
    insert into outbox_consumers (consumer, position)
    select ${consumer}, ${isFromNow ? tx`coalesce(max(event_id), 0)` : tx`0`} from outbox
    on conflict do nothing`;
  const [made] = await find();
  return made?.position ?? 0;
}

/** Events that were put off or given back, whose lease ran out, or that waited for an earlier one of their subject. */
function claimAgain(tx: Tx, consumer: string, limit: number, lease: Lease): Promise<OutboxEvent[]> {
  return tx<OutboxEvent[]>`
    with ${claiming(tx, DELIVERIES, lease, {
      where: tx`and w.consumer = ${consumer} and w.due_at <= now()
        and not exists (
          select from outbox_deliveries e
          where e.consumer = w.consumer and e.subject = w.subject and e.event_id < w.event_id)`,
      orderBy: "w.event_id",
      limit,
    })}
    select ${event(tx)}, c.attempts - 1 as attempts from claimed c join outbox o using (event_id)`;
}

/** Takes the next events out of the outbox, and claims those that no earlier event of their subject holds back. */
async function claimFresh(
  tx: Tx,
  { consumer, position, limit }: { consumer: string; position: number; limit: number },
  { owner, leaseS }: Lease,
): Promise<OutboxEvent[]> {
  const rows = await tx<(OutboxEvent & { held: boolean })[]>`
    with fresh as (
      select o.*,
        row_number() over (partition by subject order by event_id) > 1
          or exists (select from outbox_deliveries d where d.consumer = ${consumer} and d.subject = o.subject) as held
      from (
        select event_id, type, occurred_at, article_id, article, data, revision,
          coalesce(subject, 'article:' || article_id) as subject
        from outbox
        where event_id > ${position} and ${forAll(tx)}
          and (select count(*) from outbox_deliveries where consumer = ${consumer}) < ${MAX_IN_HAND}
        order by event_id limit ${limit}
      ) as o
    ), stored as (
      insert into outbox_deliveries (consumer, subject, article_id, event_id, attempts, lease_owner, lease_until)
      select ${consumer}, subject, article_id, event_id, case when held then 0 else 1 end,
        case when held then null else ${owner} end,
        case when held then null else now() + make_interval(secs => ${leaseS}) end
      from fresh
    ), moved as (
      update outbox_consumers set position = greatest(position, (select max(event_id) from fresh))
      where consumer = ${consumer} and exists (select from fresh)
    )
    select ${event(tx)}, 0 as attempts, held from fresh o order by event_id`;
  return rows.flatMap(({ held, ...rest }) => (held ? [] : [rest]));
}

/** Condition: the event is for every consumer, not for the webhook of a search alone. The index says it so, too. */
function forAll(sql: Sql | Tx) {
  return sql`type not like 'search.%'`;
}

function event(tx: Tx) {
  return tx.unsafe(
    `o.event_id as id, o.type, ${iso("o.occurred_at")} as "occurredAt", o.article_id as "articleId", o.article,
      coalesce(o.data, case when o.revision is null then '{}' else jsonb_build_object('revision', o.revision) end) as data`,
  );
}

/** Acknowledges events: the consumer will not see them again. */
async function ackOutbox(sql: Sql, consumer: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox_deliveries where consumer = ${consumer} and event_id = any(${[...ids]}::bigint[])`;
}

/** An event that could not be delivered, why, and in how many seconds it is to be tried again. */
type DeliveryFailure = { id: number; reason: string; delayS: number };

const REASON_LENGTH = 1000;

/** Puts events of this owner off, keeping the reason; later events of their subjects wait with them. */
async function retryOutbox(sql: Sql, owner: string, failures: readonly DeliveryFailure[]): Promise<void> {
  if (failures.length === 0) return;
  const rows = jsonText(failures.map((failure) => ({ ...failure, reason: failure.reason.slice(0, REASON_LENGTH) })));
  await sql`
    update outbox_deliveries w
    set ${free(sql)}, due_at = now() + make_interval(secs => f."delayS"), last_error = f.reason
    from json_to_recordset(${rows}::text::json) as f (id bigint, reason text, "delayS" float8)
    where w.lease_owner = ${owner} and w.event_id = f.id`;
}

/** Renews the lease of the events that are still in this owner's hands; returns how many. */
async function heartbeatOutbox(sql: Sql, lease: Lease): Promise<number> {
  return await heartbeat(sql, DELIVERIES, lease);
}

/** Gives back the events that are still in this owner's hands, as if they had not been claimed. */
async function releaseOutbox(sql: Sql, owner: string): Promise<number> {
  return await release(sql, DELIVERIES, owner);
}

/** Time for which an event that a search's webhook has not taken is kept, in seconds. */
const HOOK_KEPT_S = 30 * 86_400;

type PruneOptions = {
  /** The consumers that there are. */
  consumers: readonly string[];
  /** Events that are younger stay. */
  olderThanS: number;
  /** Events a statement (10,000), so that no statement meets the time limit however many there are. */
  batch?: number;
};

/**
 * Forgets the consumers that are not named, and drops events older than `olderThanS` seconds that every named one has
 * acknowledged. Returns how many events were dropped.
 */
async function pruneOutbox(sql: Sql, { consumers, olderThanS, batch = 10_000 }: PruneOptions): Promise<number> {
  await sql`delete from outbox_consumers where consumer <> all(${[...consumers]}::text[])`;
  for (let dropped = 0; ; ) {
    const { count } = await sql`
      delete from outbox where event_id in (
        select event_id from outbox o
        where occurred_at < now() - make_interval(secs => ${olderThanS})
          and event_id <= all (
            select coalesce((select position from outbox_consumers c where c.consumer = t.name), 0)
            from unnest(${[...consumers]}::text[]) as t (name))
          and not exists (select from outbox_deliveries d where d.event_id = o.event_id)
          and not (not ${forAll(sql)} and occurred_at > now() - make_interval(secs => ${HOOK_KEPT_S}) and exists (
            select from saved_searches s where s.search_id = split_part(o.subject, ':', 2)::bigint
              and s.webhook is not null and s.delivered_id < o.event_id))
        order by event_id limit ${batch})`;
    dropped += count;
    if (count < batch) return dropped;
  }
}

/** An event as consumers get it. `id` grows in the order in which the changes were committed. */
export type OutboxEvent = {
  id: number;
  type: EventKind;
  /** ISO 8601 in UTC. */
  occurredAt: string;
  /** Null for an event that is of no article. */
  articleId: number | null;
  article: EventArticle | null;
  /** Holds the rest of what its kind says in the contract. */
  data: { [key: string]: Json };
  /** Says how often the event was claimed before. */
  attempts: number;
};
