import type { Sql, Tx } from "../client.ts";
import { MAX_ATTEMPTS, unheld } from "../lease.ts";
import { transaction } from "../transaction.ts";

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
        insert into entity_work as w (article_id, again) select article_id, true from due
        on conflict (article_id) do update set attempts = 0, due_at = now(), again = true
        where w.attempts >= ${MAX_ATTEMPTS} and ${unheld(tx)}
        returning 1
      )
      select (select max(article_id) from stretch) as "lastId", (select count(*)::int from put) as renewed`;
    return { lastId: row?.lastId ?? undefined, renewed: row?.renewed ?? 0 };
  };
  return await transaction(sql, work, { repeatable: true });
}
