import type { Sql, Tx } from "../client.ts";
import { CHUNKS_CHANNEL, eventArticle, lockChanges } from "../events.ts";
import { modelNo } from "../model-no.ts";
import { transaction } from "../transaction.ts";
import { moveOn } from "../work/move-on.ts";
import type { Step } from "../work/types.ts";
import { packVectors } from "./vectors.ts";

/** A passage of an article: code-point offsets into its content, end exclusive, and its vector. */
export type NewChunk = { no: number; start: number; end: number; vector: Float32Array };

/** An article with all its passages. */
export type IndexedArticle = { articleId: number; chunks: readonly NewChunk[] };

/** How articles become indexed. */
export type IndexingOptions = {
  /** The model of their vectors; undefined: no chunk is touched. */
  modelId: string | undefined;
  /** Ends with it, and queues what follows. */
  step?: Step | undefined;
};

/**
 * Replaces the chunks of these articles for the model, sets them to `indexed`, and writes an event `article.upserted`
 * for each one that was not yet; their step ends with it: one transaction. All vectors must have the same length.
 * Returns the ids that were updated; an article that was deleted meanwhile, or that is not `normalized` or `indexed`,
 * is left out.
 */
export async function commitIndexed(
  sql: Sql,
  batch: readonly IndexedArticle[],
  { modelId, step }: IndexingOptions,
): Promise<number[]> {
  if (batch.length === 0) return [];
  const model = modelId === undefined ? undefined : await modelNo(sql, modelId);
  const work = async (tx: Tx): Promise<number[]> => {
    const rows = await tx<{ id: number; indexed: boolean }[]>`
      select article_id as id, state = 'indexed' as indexed from articles
      where article_id = any(${batch.map((article) => article.articleId)}::bigint[])
        and state in ('normalized', 'indexed')
      order by article_id for update`;
    if (rows.length === 0) return [];
    const present = new Set(rows.map((row) => row.id));
    const again = rows.filter((row) => row.indexed).map((row) => row.id);
    const waiting = new Set(rows.filter((row) => !row.indexed).map((row) => row.id));
    const kept = batch.filter((article) => present.has(article.articleId));
    const first = kept.filter(({ articleId }) => waiting.has(articleId));
    // Sent together; Postgres runs them in this order.
    await Promise.all([
      lockChanges(tx),
      ...(model === undefined ? [] : [removeChunks(tx, model, again), insertChunks(tx, model, kept)]),
      ...(first.length > 0 ? [announceIndexed(tx, first)] : []),
      ...(step === undefined ? [] : [moveOn(tx, step, [...present])]),
      tx`select pg_notify(${CHUNKS_CHANNEL}, '')`,
    ]);
    return [...present];
  };
  return await transaction(sql, work, { repeatable: true });
}

/** Removes the model's chunks of these articles, and tells those who follow the chunks. */
async function removeChunks(tx: Tx, model: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    with gone as (
      delete from chunks where article_id = any(${[...ids]}::bigint[]) and model_no = ${model} returning article_id
    )
    insert into chunk_tombstones (article_id, model_no, seq)
    select article_id, ${model}, nextval('change_seq') from (select distinct article_id from gone) as g
    on conflict (article_id, model_no) do update set seq = excluded.seq`;
}

async function insertChunks(tx: Tx, model: number, articles: readonly IndexedArticle[]): Promise<void> {
  const chunks = articles.flatMap(({ articleId, chunks }) => chunks.map((chunk) => ({ articleId, ...chunk })));
  if (chunks.length === 0) return;
  // All vectors in one value, cut up again over there: an array of them would be quoted one by one.
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

/** Sets the articles to `indexed`, and writes the event of each. */
async function announceIndexed(tx: Tx, articles: readonly IndexedArticle[]): Promise<void> {
  const ids = articles.map(({ articleId }) => articleId);
  await tx`
    with a as (
      update articles set state = 'indexed', state_reason = null, updated_at = now()
      where article_id = any(${ids}::bigint[])
      returning article_id, doc_id, source_id, url, title, lang, published_at, content_hash
    )
    insert into outbox (event_id, type, article_id, article)
    select nextval('change_seq'), 'article.upserted', a.article_id, ${eventArticle(tx)} from a`;
}
