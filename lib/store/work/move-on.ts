import type { Sql, Tx } from "../client.ts";
import type { Step } from "./types.ts";

/** Is notified with the name of a stage that has new work. */
export const WORK_CHANNEL = "isnad_work";

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
