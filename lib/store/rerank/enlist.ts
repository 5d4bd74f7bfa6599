import type { Sql, Tx } from "../client.ts";
import { MAX_ATTEMPTS, unheld } from "../lease.ts";
import { modelNo } from "../model-no.ts";
import { transaction } from "../transaction.ts";

/** A stretch of articles, up to `limit` of them with an id above `afterId`, and the model that is to read them. */
export type UnreadStretch = { afterId: number; limit: number; modelId: string };

/** What was done of a stretch: its last id (undefined behind the last article), and how many were put on the list. */
export type Enlisted = { lastId: number | undefined; enlisted: number };

/**
 * Puts the indexed articles of a stretch that have no vectors of this model on the list of those to be read. What is on
 * it already stays as it is, but for what was given up before this model was there, which is tried afresh; so doing it
 * again changes nothing. One short transaction.
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
        insert into rerank_work (article_id, model_no) select article_id, ${model} from due
        on conflict do nothing returning 1
      ), afresh as (
        update rerank_work w set attempts = 0, due_at = now(), model_no = ${model} from due
        where w.article_id = due.article_id and w.attempts >= ${MAX_ATTEMPTS} and ${unheld(tx)}
          and w.model_no is distinct from ${model}
        returning 1
      )
      select (select max(article_id) from stretch) as "lastId",
        (select count(*)::int from (table put union all table afresh) as e) as enlisted`;
    return { lastId: row?.lastId ?? undefined, enlisted: row?.enlisted ?? 0 };
  };
  return await transaction(sql, work, { repeatable: true });
}
