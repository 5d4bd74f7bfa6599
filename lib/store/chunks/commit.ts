import type { Sql, Tx } from "../client.ts";
import { CHUNKS_CHANNEL, eventArticle, lockChanges } from "../events.ts";
import { transaction } from "../transaction.ts";
import { modelNo } from "./models.ts";
import { packVectors } from "./vectors.ts";

/** A passage of an article: code-point offsets into its content, end exclusive, and its vector. */
export type NewChunk = { no: number; start: number; end: number; vector: Float32Array };

/** An article with all its passages. */
export type IndexedArticle = { articleId: number; chunks: readonly NewChunk[] };

/**
 * Replaces the chunks of these articles for the model, sets them to `indexed`, and writes an event `article.upserted` for each one that
 * was not yet: one transaction. All vectors must have the same length. Returns the ids that were updated; an
 * article that was deleted meanwhile, or that is not `normalized` or `indexed`, is left out.
 */
export async function commitIndexed(
  sql: Sql,
  batch: readonly IndexedArticle[],
  { modelId }: { modelId: string },
): Promise<number[]> {
  if (batch.length === 0) return [];
  const model = await modelNo(sql, modelId);
  const work = async (tx: Tx): Promise<number[]> => {
    const rows = await tx<{ id: number; indexed: boolean }[]>`
      select article_id as id, state = 'indexed' as indexed from articles
      where article_id = any(${batch.map((article) => article.articleId)}::bigint[]) and state in ('normalized', 'indexed')
      order by article_id for update`;
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) return [];
    const news = rows.filter((row) => !row.indexed).map((row) => row.id);
    const present = new Set(ids);
    const chunks = batch
      .filter((article) => present.has(article.articleId))
      .flatMap((article) => article.chunks.map((chunk) => ({ articleId: article.articleId, ...chunk })));

    await tx`
      update articles set state = 'indexed', state_reason = null, updated_at = now() where article_id = any(${news}::bigint[])`;
    await lockChanges(tx);
    await tx`
      with gone as (
        delete from chunks where article_id = any(${ids}::bigint[]) and model_no = ${model} returning article_id
      )
      insert into chunk_tombstones (article_id, model_no, seq)
      select article_id, ${model}, nextval('change_seq') from (select distinct article_id from gone) as g
      on conflict (article_id, model_no) do update set seq = excluded.seq`;
    if (chunks.length > 0) {
      const vectors = packVectors(chunks.map((chunk) => chunk.vector));
      const bytes = vectors.length / chunks.length;
      await tx`
        insert into chunks (article_id, model_no, chunk_no, start_offset, end_offset, seq, vector)
        select article_id, ${model}, chunk_no, start_offset, end_offset, nextval('change_seq'),
          substring(${vectors}::bytea from ((n - 1) * ${bytes} + 1)::int for ${bytes}::int)
        from unnest(${chunks.map((c) => c.articleId)}::bigint[], ${chunks.map((c) => c.no)}::int[],
          ${chunks.map((c) => c.start)}::int[], ${chunks.map((c) => c.end)}::int[])
          with ordinality as c (article_id, chunk_no, start_offset, end_offset, n)`;
    }
    await tx`
      insert into outbox (event_id, type, article_id, article)
      select nextval('change_seq'), 'article.upserted', a.article_id, ${eventArticle(tx)}
      from articles a where a.article_id = any(${news}::bigint[])`;
    await tx`select pg_notify(${CHUNKS_CHANNEL}, '')`;
    return ids;
  };
  return await transaction(sql, work, { repeatable: true });
}
