import type { Sql, Tx } from "./client.ts";
import { repeating, transaction } from "./transaction.ts";
import { enlistStretch, moveOn, type Step, type Stretch } from "./work.ts";

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

/** Makes the statements over the vectors of reranking. */
export function rerankStore(sql: Sql) {
  return {
    put: (batch: readonly ReadArticle[], options: { modelId: string; step?: Step | undefined }) =>
      putRerankVectors(sql, batch, options),
    vectorsOf: (articleIds: readonly number[], options: { modelId: string }) =>
      repeating(() => rerankVectorsOf(sql, articleIds, options)),
  };
}

/** An article with the vectors of its first chunks, in their order, all of one length. */
export type ReadArticle = { articleId: number; vectors: readonly Int8Array[] };

/**
 * Stores the vectors of articles in the place of those that they had, and ends their step: one transaction. An article
 * that the step's owner does not hold any more is left out: it was deleted, changed or taken by another meanwhile.
 * Returns the ids that were stored.
 */
async function putRerankVectors(
  sql: Sql,
  batch: readonly ReadArticle[],
  { modelId, step }: { modelId: string; step?: Step | undefined },
): Promise<number[]> {
  if (batch.length === 0) return [];
  const model = await modelNo(sql, modelId, "rerank_models");
  return await transaction(
    sql,
    async (tx) => {
      const ids = batch.map(({ articleId }) => articleId);
      await tx`
        select from articles where article_id = any(${ids}::bigint[]) order by article_id for key share`;
      // Who changes a text meanwhile waits for this, and then finds the vectors and deletes them.
      const own = new Set(step === undefined ? ids : await moveOn(tx, step, ids));
      const articles = batch.filter(({ articleId }) => own.has(articleId));
      await insertVectors(tx, model, articles);
      return articles.map(({ articleId }) => articleId);
    },
    { repeatable: true },
  );
}

async function insertVectors(tx: Tx, model: number, articles: readonly ReadArticle[]): Promise<void> {
  if (articles.length === 0) return;
  const lengths = articles.map(({ vectors }) => vectors.reduce((sum, { length }) => sum + length, 0));
  const all = articles.flatMap(({ vectors }) => vectors.map(bytesOf));
  // All in one value, cut up again over there: an array of them would be quoted one by one.
  await tx`
    insert into rerank_vectors (article_id, model_no, vectors)
    select id, ${model},
      substring(${Buffer.concat(all)}::bytea from (sum(length) over (order by n) - length + 1)::int for length)
    from unnest(${articles.map(({ articleId }) => articleId)}::bigint[], ${lengths}::int[])
      with ordinality as a (id, length, n)
    on conflict (article_id) do update set model_no = excluded.model_no, vectors = excluded.vectors`;
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * The vectors of those of these articles that this model read, by article: of its first chunks, one after the other.
 */
async function rerankVectorsOf(
  sql: Sql,
  articleIds: readonly number[],
  { modelId }: { modelId: string },
): Promise<Map<number, Int8Array>> {
  if (articleIds.length === 0) return new Map();
  const rows = await sql<{ id: number; vectors: Buffer }[]>`
    select article_id as id, vectors from rerank_vectors join rerank_models using (model_no)
    where article_id = any(${[...articleIds]}::bigint[]) and model_id = ${modelId}`;
  return new Map(
    rows.map(({ id, vectors: { buffer, byteOffset, length } }) => [id, new Int8Array(buffer, byteOffset, length)]),
  );
}
