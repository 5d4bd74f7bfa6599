import type { Sql } from "../client.ts";
import { modelNo } from "../model-no.ts";

/** Up to `limit` indexed articles with an id above `afterId` that have no chunk of the model: their ids, ascending. */
export async function articlesLacking(
  sql: Sql,
  modelId: string,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const model = await modelNo(sql, modelId);
  const rows = await sql<{ id: number }[]>`
    select article_id as id from articles a
    where article_id > ${afterId} and state = 'indexed'
      and not exists (select from chunks c where c.article_id = a.article_id and c.model_no = ${model})
    order by article_id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Those of `ids` that are indexed articles without a chunk of the model. */
export async function articlesWithout(sql: Sql, modelId: string, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const model = await modelNo(sql, modelId);
  const rows = await sql<{ id: number }[]>`
    select article_id as id from articles a
    where article_id = any(${[...ids]}::bigint[]) and state = 'indexed'
      and not exists (select from chunks c where c.article_id = a.article_id and c.model_no = ${model})
    order by article_id`;
  return rows.map((row) => row.id);
}
