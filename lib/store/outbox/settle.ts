import type { Sql } from "../client.ts";
import { jsonText } from "../json.ts";
import { free, heartbeat, type Lease, release } from "../lease.ts";
import { DELIVERIES } from "./deliveries.ts";

/** Acknowledges events: the consumer will not see them again. */
export async function ackOutbox(sql: Sql, consumer: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox_deliveries where consumer = ${consumer} and event_id = any(${[...ids]}::bigint[])`;
}

/** An event that could not be delivered, why, and in how many seconds it is to be tried again. */
export type DeliveryFailure = { id: number; reason: string; delayS: number };

const REASON_LENGTH = 1000;

/** Puts events of this owner off, keeping the reason; later events of their articles wait with them. */
export async function retryOutbox(sql: Sql, owner: string, failures: readonly DeliveryFailure[]): Promise<void> {
  if (failures.length === 0) return;
  const rows = jsonText(failures.map((failure) => ({ ...failure, reason: failure.reason.slice(0, REASON_LENGTH) })));
  await sql`
    update outbox_deliveries w
    set ${free(sql)}, due_at = now() + make_interval(secs => f."delayS"), last_error = f.reason
    from json_to_recordset(${rows}::text::json) as f (id bigint, reason text, "delayS" float8)
    where w.lease_owner = ${owner} and w.event_id = f.id`;
}

/** Renews the lease of the events that are still in this owner's hands; returns how many. */
export async function heartbeatOutbox(sql: Sql, lease: Lease): Promise<number> {
  return await heartbeat(sql, DELIVERIES, lease);
}

/** Gives back the events that are still in this owner's hands, as if they had not been claimed. */
export async function releaseOutbox(sql: Sql, owner: string): Promise<number> {
  return await release(sql, DELIVERIES, owner);
}

/** What waits for a consumer: events not yet taken out of the outbox, and those taken out and not acknowledged. */
export async function outboxLag(sql: Sql, consumer: string): Promise<{ waiting: number; unacknowledged: number }> {
  const [row] = await sql<{ waiting: number; unacknowledged: number }[]>`
    select
      (select count(*)::int from outbox where event_id > coalesce(
        (select position from outbox_consumers where consumer = ${consumer}), 0)) as waiting,
      (select count(*)::int from outbox_deliveries where consumer = ${consumer}) as unacknowledged`;
  return row ?? { waiting: 0, unacknowledged: 0 };
}

/** What is pruned. */
export type PruneOptions = {
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
export async function pruneOutbox(sql: Sql, { consumers, olderThanS, batch = 10_000 }: PruneOptions): Promise<number> {
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
        order by event_id limit ${batch})`;
    dropped += count;
    if (count < batch) return dropped;
  }
}
