import type { Sql, Tx } from "../client.ts";
import { modelNo } from "../model-no.ts";
import { transaction } from "../transaction.ts";
import { WORK_CHANNEL } from "../work/move-on.ts";

/** A stretch of articles, up to `limit` of them with an id above `afterId`, and the model that is to read them. */
export type UnreadStretch = { afterId: number; limit: number; modelId: string };

/** What was done of a stretch: its last id (undefined behind the last article), and how many were put on the list. */
export type Enlisted = { lastId: number | undefined; enlisted: number };

/**
 * Queues the indexed articles of a stretch that have no vectors of this model for being read. What is queued or was set
 * aside stays as it is. Idempotent, and one short transaction.
 */
export async function enlistUnread(sql: Sql, { afterId, limit, modelId }: UnreadStretch): Promise<Enlisted> {
  const model = await modelNo(sql, modelId, "rerank_models");
  const work = async (tx: Tx): Promise<Enlisted> => {
    const [row] = await tx<{ lastId: number | null; enlisted: number }[]>`
      with stretch as materialized (
        select article_id, state from articles where article_id > ${afterId} order by article_id limit ${limit}
      ), due as materialized (
        select a.article_id from articles a
        where a.article_id in (
          select s.article_id from stretch s left join rerank_vectors v using (article_id)
          where s.state = 'indexed' and v.model_no is distinct from ${model})
        order by a.article_id for key share
      ), put as (
        insert into work (article_id, stage) select article_id, 'rerank' from due
        on conflict do nothing returning 1
      ), announced as (
        select pg_notify(${WORK_CHANNEL}, 'rerank') where exists (select from put)
      )
      select (select max(article_id) from stretch) as "lastId", (select count(*)::int from put) as enlisted
      from (select count(*) from announced) as a`;
    return { lastId: row?.lastId ?? undefined, enlisted: row?.enlisted ?? 0 };
  };
  return await transaction(sql, work, { repeatable: true });
}
