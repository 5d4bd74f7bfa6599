import type { Sql } from "../client.ts";
import { transaction } from "../transaction.ts";

/** Acknowledges events: the consumer will not see them again. */
export async function ackOutbox(sql: Sql, consumer: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox_deliveries where consumer = ${consumer} and event_id = any(${[...ids]}::bigint[])`;
}

/** Puts an event off for `delayS` seconds, keeping the reason; later events of its article wait with it. */
export async function retryOutbox(
  sql: Sql,
  consumer: string,
  id: number,
  { delayS, reason }: { delayS: number; reason: string },
): Promise<void> {
  await sql`
    update outbox_deliveries
    set due_at = now() + make_interval(secs => ${delayS}), last_error = ${reason.replaceAll("\u0000", "").slice(0, 1000)}
    where consumer = ${consumer} and event_id = ${id}`;
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

/**
 * Forgets the consumers that are not named, and drops events older than `olderThanS` seconds that every named one has
 * acknowledged. Returns how many events were dropped.
 */
export async function pruneOutbox(
  sql: Sql,
  { consumers, olderThanS }: { consumers: readonly string[]; olderThanS: number },
): Promise<number> {
  return await transaction(sql, async (tx) => {
    await tx`delete from outbox_consumers where consumer <> all(${[...consumers]}::text[])`;
    const result = await tx`
      delete from outbox o
      where occurred_at < now() - make_interval(secs => ${olderThanS})
        and event_id <= all (
          select coalesce((select position from outbox_consumers c where c.consumer = t.name), 0)
          from unnest(${[...consumers]}::text[]) as t (name))
        and not exists (select from outbox_deliveries d where d.event_id = o.event_id)`;
    return result.count;
  });
}
