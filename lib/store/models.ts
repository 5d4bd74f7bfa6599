import type { Sql, Tx } from "./client.ts";
import { repeating } from "./transaction.ts";
import { enlistStretch, type Stretch } from "./work.ts";

/** Makes the statements over articles that a model has not read yet. */
export function lackingStore(sql: Sql) {
  return {
    lacking: (modelId: string, options: { afterId: number; limit: number }) =>
      repeating(() => articlesLacking(sql, modelId, options)),
    without: (modelId: string, ids: readonly number[]) => repeating(() => articlesWithout(sql, modelId, ids)),
  };
}

/** Makes the statements over the models that entities come from. */
export function entityModelStore(sql: Sql) {
  return {
    renew: (stretch: RenewStretch) => renewEntityWork(sql, stretch),
    countByModel: () => repeating(() => countEntityModels(sql)),
  };
}

/** Makes the statements over articles without vectors of reranking. */
export function unreadStore(sql: Sql) {
  return {
    enlist: (stretch: UnreadStretch) => enlistUnread(sql, stretch),
  };
}

/** The small number of a model (an embedding model unless another table is named), given out when it is first seen. */
export async function modelNo(
  sql: Sql | Tx,
  modelId: string,
  table: "embedding_models" | "entity_models" | "rerank_models" | "claim_models" = "embedding_models",
): Promise<number> {
  const name = sql(table);
  const [known] = await sql<{ no: number }[]>`select model_no as no from ${name} where model_id = ${modelId}`;
  if (known !== undefined) return known.no;
  await sql`insert into ${name} (model_id) values (${modelId}) on conflict do nothing`;
  return modelNo(sql, modelId, table);
}

/**
 * Indexed articles that do not wait for their entities, by the model that found them; null: it was not kept, or none
 * did.
 */
export type EntityModelCount = { modelId: string | null; articles: number };

/** Counts articles by the model that found their entities, most frequent first. Reads the whole table of articles. */
async function countEntityModels(sql: Sql): Promise<EntityModelCount[]> {
  return await sql<EntityModelCount[]>`
    select m.model_id as "modelId", count(*)::int as articles
    from articles a
    left join entity_finds f using (article_id)
    left join entity_models m using (model_no)
    where a.state = 'indexed' and not exists (
      select from work w where w.article_id = a.article_id and w.stage = 'entities' and w.set_aside_at is null)
    group by m.model_id order by articles desc, m.model_id`;
}

/** A stretch of articles, and the models whose finds are to be renewed; null: articles of which no model is kept. */
type RenewStretch = Stretch & { modelIds: readonly (string | null)[] };

/**
 * Puts the indexed articles of a stretch back to work whose entities were found by one of these models, those given up
 * among them. Articles that never had any go first.
 */
async function renewEntityWork(sql: Sql, { modelIds, ...stretch }: RenewStretch) {
  const named = modelIds.filter((id) => id !== null);
  const due = sql`
    select s.article_id from stretch s
    left join entity_finds f using (article_id) left join entity_models m using (model_no)
    where s.state = 'indexed' and (m.model_id = any(${named}::text[])
      or (m.model_id is null and ${modelIds.includes(null)}))`;
  return await enlistStretch(sql, stretch, { stage: "entities", priority: -1, due, revive: true });
}

/** A stretch of articles, and the model that is to read them. */
type UnreadStretch = Stretch & { modelId: string };

/** Queues the indexed articles of a stretch that have no vectors of this model for being read. */
async function enlistUnread(sql: Sql, { modelId, ...stretch }: UnreadStretch) {
  const model = await modelNo(sql, modelId, "rerank_models");
  const due = sql`
    select s.article_id from stretch s left join rerank_vectors v using (article_id)
    where s.state = 'indexed' and v.model_no is distinct from ${model}`;
  return await enlistStretch(sql, stretch, { stage: "rerank", due });
}

/** Up to `limit` indexed articles with an id above `afterId` that have no chunk of the model: their ids, ascending. */
async function articlesLacking(
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
async function articlesWithout(sql: Sql, modelId: string, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const model = await modelNo(sql, modelId);
  const rows = await sql<{ id: number }[]>`
    select article_id as id from articles a
    where article_id = any(${[...ids]}::bigint[]) and state = 'indexed'
      and not exists (select from chunks c where c.article_id = a.article_id and c.model_no = ${model})
    order by article_id`;
  return rows.map((row) => row.id);
}
