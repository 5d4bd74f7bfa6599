import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { transaction } from "../transaction.ts";
import type { OutboxEvent } from "./types.ts";

/** A consumer that has this many events in hand gets no new ones: it is down, and the outbox is not to be copied for it. */
const MAX_IN_HAND = 5_000;

/**
 * Hands out up to `limit` events to the consumer, in the order of each article: while one event of an article is not acknowledged, later ones
 * of this article wait, and nothing else does. An event that is neither acknowledged nor put off within `leaseS` seconds
 * is handed out again. Several processes may share the work of one consumer. A new consumer begins with the oldest event kept.
 */
export async function pollOutbox(
  sql: Sql,
  consumer: string,
  { limit, leaseS = 60 }: { limit: number; leaseS?: number | undefined },
): Promise<OutboxEvent[]> {
  return await transaction(sql, async (tx) => {
    const position = await lockPosition(tx, consumer);
    const again = await handOutAgain(tx, consumer, limit, leaseS);
    const fresh = again.length < limit ? await handOutFresh(tx, consumer, position, limit - again.length, leaseS) : [];
    return [...again, ...fresh].sort((a, b) => a.id - b.id);
  });
}

/** The consumer's position in the outbox, locked so that two polls do not take the same events. */
async function lockPosition(tx: Tx, consumer: string): Promise<number> {
  const find = () => tx<{ position: number }[]>`
    select position from outbox_consumers where consumer = ${consumer} for update`;
  const [known] = await find();
  if (known !== undefined) return known.position;
  await tx`insert into outbox_consumers (consumer) values (${consumer}) on conflict do nothing`;
  const [made] = await find();
  return made?.position ?? 0;
}

/** Events that were put off, or whose lease ran out, or that waited for an earlier one of their article. */
function handOutAgain(tx: Tx, consumer: string, limit: number, leaseS: number): Promise<OutboxEvent[]> {
  return tx<OutboxEvent[]>`
    with due as (
      select article_id, event_id, attempts from outbox_deliveries d
      where consumer = ${consumer} and due_at <= now()
        and not exists (
          select from outbox_deliveries e
          where e.consumer = d.consumer and e.article_id = d.article_id and e.event_id < d.event_id)
      order by event_id limit ${limit}
      for update
    ), leased as (
      update outbox_deliveries d set due_at = now() + make_interval(secs => ${leaseS}), attempts = d.attempts + 1
      from due where d.consumer = ${consumer} and d.article_id = due.article_id and d.event_id = due.event_id
    )
    select ${event(tx)}, attempts from due join outbox o using (event_id)`;
}

/** Takes the next events out of the outbox, and hands out those that no earlier event of their article holds back. */
async function handOutFresh(
  tx: Tx,
  consumer: string,
  position: number,
  limit: number,
  leaseS: number,
): Promise<OutboxEvent[]> {
  const rows = await tx<(OutboxEvent & { held: boolean })[]>`
    with fresh as (
      select o.*,
        row_number() over (partition by article_id order by event_id) > 1
          or exists (select from outbox_deliveries d where d.consumer = ${consumer} and d.article_id = o.article_id) as held
      from (
        select * from outbox
        where event_id > ${position}
          and (select count(*) from outbox_deliveries where consumer = ${consumer}) < ${MAX_IN_HAND}
        order by event_id limit ${limit}
      ) as o
    ), stored as (
      insert into outbox_deliveries (consumer, article_id, event_id, attempts, due_at)
      select ${consumer}, article_id, event_id, case when held then 0 else 1 end,
        case when held then now() else now() + make_interval(secs => ${leaseS}) end
      from fresh
    ), moved as (
      update outbox_consumers set position = greatest(position, (select max(event_id) from fresh))
      where consumer = ${consumer} and exists (select from fresh)
    )
    select ${event(tx)}, 0 as attempts, held from fresh o order by event_id`;
  return rows.flatMap(({ held, ...rest }) => (held ? [] : [rest]));
}

function event(tx: Tx) {
  return tx.unsafe(
    `o.event_id as id, o.type, ${iso("o.occurred_at")} as "occurredAt", o.article_id as "articleId", o.article`,
  );
}
