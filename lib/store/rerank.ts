import type { Sql, Tx } from "./client.ts";
import { modelNo } from "./models.ts";
import { repeating, transaction } from "./transaction.ts";
import { moveOn, type Step } from "./work.ts";

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
