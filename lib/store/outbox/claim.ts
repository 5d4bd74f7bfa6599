import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { claiming, type Lease } from "../lease.ts";
import { transaction } from "../transaction.ts";
import { DELIVERIES } from "./deliveries.ts";
import type { OutboxEvent } from "./types.ts";

/**
 * A consumer that has this many events in hand gets no new ones: it is down, and the outbox is not to be copied for it.
 */
const MAX_IN_HAND = 5_000;

/**
 * Claims up to `limit` events for the consumer, in the order of each article: while one event of an article is not
 * acknowledged, later ones of this article wait, and nothing else does. Several processes may share the work of one
 * consumer. A new consumer begins with the oldest event kept.
 */
export async function claimOutbox(
  sql: Sql,
  consumer: string,
  { limit, ...lease }: Lease & { limit: number },
): Promise<OutboxEvent[]> {
  return await transaction(sql, async (tx) => {
    const position = await lockPosition(tx, consumer);
    const again = await claimAgain(tx, consumer, limit, lease);
    const fresh =
      again.length < limit ? await claimFresh(tx, { consumer, position, limit: limit - again.length }, lease) : [];
    return [...again, ...fresh].sort((a, b) => a.id - b.id);
  });
}

/** The consumer's position in the outbox, locked so that two claims do not take the same events. */
async function lockPosition(tx: Tx, consumer: string): Promise<number> {
  const find = () => tx<{ position: number }[]>`
    select position from outbox_consumers where consumer = ${consumer} for update`;
  const [known] = await find();
  if (known !== undefined) return known.position;
  await tx`insert into outbox_consumers (consumer) values (${consumer}) on conflict do nothing`;
  const [made] = await find();
  return made?.position ?? 0;
}

/** Events that were put off or given back, whose lease ran out, or that waited for an earlier one of their article. */
function claimAgain(tx: Tx, consumer: string, limit: number, lease: Lease): Promise<OutboxEvent[]> {
  return tx<OutboxEvent[]>`
    with ${claiming(tx, DELIVERIES, lease, {
      where: tx`and w.consumer = ${consumer} and w.due_at <= now()
        and not exists (
          select from outbox_deliveries e
          where e.consumer = w.consumer and e.article_id = w.article_id and e.event_id < w.event_id)`,
      orderBy: "w.event_id",
      limit,
    })}
    select ${event(tx)}, c.attempts - 1 as attempts from claimed c join outbox o using (event_id)`;
}

/** Takes the next events out of the outbox, and claims those that no earlier event of their article holds back. */
async function claimFresh(
  tx: Tx,
  { consumer, position, limit }: { consumer: string; position: number; limit: number },
  { owner, leaseS }: Lease,
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
      insert into outbox_deliveries (consumer, article_id, event_id, attempts, lease_owner, lease_until)
      select ${consumer}, article_id, event_id, case when held then 0 else 1 end,
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

function event(tx: Tx) {
  return tx.unsafe(
    `o.event_id as id, o.type, ${iso("o.occurred_at")} as "occurredAt", o.article_id as "articleId", o.article, o.revision`,
  );
}
