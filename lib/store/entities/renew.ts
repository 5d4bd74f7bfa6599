import type { Sql, Tx } from "../client.ts";
import { transaction } from "../transaction.ts";
import { WORK_CHANNEL } from "../work/move-on.ts";

/**
 * A stretch of articles: up to `limit` of them with an id above `afterId`, and the models whose finds are to be renewed
 * among them; null stands for articles of which no model is kept.
 */
export type RenewStretch = { afterId: number; limit: number; modelIds: readonly (string | null)[] };

/** What was done of a stretch: its last id (undefined behind the last article), and how many were put back to work. */
export type Renewed = { lastId: number | undefined; renewed: number };

/**
 * Puts the indexed articles of a stretch back to work whose entities were found by one of these models, those given up
 * among them; what waits already stays as it is, so doing it again changes nothing. One short transaction, whatever the
 * number of articles.
 */
export async function renewEntityWork(sql: Sql, { afterId, limit, modelIds }: RenewStretch): Promise<Renewed> {
  const named = modelIds.filter((id) => id !== null);
  const work = async (tx: Tx): Promise<Renewed> => {
    const [row] = await tx<{ lastId: number | null; renewed: number }[]>`
      with stretch as materialized (
        select article_id, state from articles where article_id > ${afterId} order by article_id limit ${limit}
      ), due as materialized (
        select a.article_id from articles a
        where a.article_id in (
          select s.article_id from stretch s
          left join entity_finds f using (article_id) left join entity_models m using (model_no)
          where s.state = 'indexed' and (m.model_id = any(${named}::text[])
            or (m.model_id is null and ${modelIds.includes(null)})))
        order by a.article_id for key share
      ), put as (
        -- Articles that never had any go first.
        insert into work as w (article_id, stage, priority) select article_id, 'entities', -1 from due
        on conflict (article_id, stage) do update
        set attempts = 0, due_at = now(), priority = -1, set_aside_at = null, reason = null
        where w.set_aside_at is not null
        returning 1
      ), announced as (
        select pg_notify(${WORK_CHANNEL}, 'entities') where exists (select from put)
      )
      select (select max(article_id) from stretch) as "lastId", (select count(*)::int from put) as renewed
      from (select count(*) from announced) as a`;
    return { lastId: row?.lastId ?? undefined, renewed: row?.renewed ?? 0 };
  };
  return await transaction(sql, work, { repeatable: true });
}
