import type { Sql, Tx } from "../client.ts";
import { CHUNKS_CHANNEL, eventArticle, lockChanges } from "../events.ts";
import { modelNo } from "../model-no.ts";
import { transaction } from "../transaction.ts";
import { packVectors } from "./vectors.ts";

/** A passage of an article: code-point offsets into its content, end exclusive, and its vector. */
export type NewChunk = { no: number; start: number; end: number; vector: Float32Array };

/** An article with all its passages, and its summary where one was made. */
export type IndexedArticle = { articleId: number; chunks: readonly NewChunk[]; summary?: string | undefined };

/** What is to be done with articles that become indexed. */
export type IndexingOptions = {
  /** The model of their vectors; undefined: no chunk is touched. */
  modelId: string | undefined;
  /** Whether the relations of Arabic articles are left to be found. */
  relations?: boolean;
  /** Whether they are left to be read for the reranker. */
  rerankVectors?: boolean;
};

/**
 * Replaces the chunks of these articles for the model, sets them to `indexed`, and writes an event `article.upserted`
 * for each one that was not yet: one transaction. All vectors must have the same length. A summary is kept with the
 * state. Returns the ids that were updated; an article that was deleted meanwhile, or that is not `normalized` or
 * `indexed`, is left out.
 */
export async function commitIndexed(
  sql: Sql,
  batch: readonly IndexedArticle[],
  { modelId, ...next }: IndexingOptions,
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
      ...(first.length > 0 ? [announceIndexed(tx, first, next)] : []),
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

/** Sets the articles to `indexed`, writes the event of each, and leaves what comes next to be done. */
async function announceIndexed(
  tx: Tx,
  articles: readonly IndexedArticle[],
  { relations = false, rerankVectors = false }: Omit<IndexingOptions, "modelId">,
): Promise<void> {
  const ids = articles.map(({ articleId }) => articleId);
  const summaries = articles.map(({ summary = null }) => summary);
  await tx`
    with a as (
      update articles set state = 'indexed', state_reason = null, updated_at = now(), summary = s.summary
      from unnest(${ids}::bigint[], ${summaries}::text[]) as s (id, summary)
      where article_id = s.id
      returning article_id, doc_id, source_id, url, title, lang, published_at, content_hash
    ), w as (
      insert into entity_work (article_id) select article_id from a on conflict (article_id) do nothing
    )${
      relations
        ? tx`, r as (
      insert into relation_work (article_id) select article_id from a where lang = 'ar' on conflict (article_id) do nothing
    )`
        : tx``
    }${
      rerankVectors
        ? tx`, v as (
      insert into rerank_work (article_id) select article_id from a on conflict (article_id) do nothing
    )`
        : tx``
    }
    insert into outbox (event_id, type, article_id, article)
    select nextval('change_seq'), 'article.upserted', a.article_id, ${eventArticle(tx)} from a`;
}
