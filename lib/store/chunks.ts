import { type Article, type ArticleField, select } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { articleKey, CHUNKS_CHANNEL, lockChanges } from "./log.ts";
import { modelNo } from "./models.ts";
import { writeEvents } from "./outbox.ts";
import { repeating, transaction } from "./transaction.ts";
import { moveOn, type Step } from "./work.ts";

/** Makes the statements that commit what was indexed. */
export function indexingStore(sql: Sql) {
  return {
    commit: (batch: readonly IndexedArticle[], options: IndexingOptions) => commitIndexed(sql, batch, options),
  };
}

/** Makes the statements over chunks of articles. */
export function chunkStore(sql: Sql) {
  return {
    ofArticles: <F extends ArticleField = never>(modelId: string, ids: readonly number[], fields?: readonly F[]) =>
      repeating(() => chunksOfArticles(sql, modelId, ids, fields)),
    since: <F extends ArticleField = never>(modelId: string, seq: number, limit: number, fields?: readonly F[]) =>
      repeating(() => chunksSince(sql, modelId, seq, limit, fields)),
    counts: (modelId: string) => repeating(() => chunkCounts(sql, modelId)),
  };
}

/** Packs vectors of one length one after another as float16, little endian. */
export function packVectors(vectors: readonly Float32Array[]): Buffer {
  const dims = vectors[0]?.length ?? 0;
  const all = new Float16Array(dims * vectors.length);
  vectors.forEach((vector, i) => {
    if (vector.length !== dims)
      throw new RangeError(`vectors of ${dims} and of ${vector.length} dimensions in one batch`);
    all.set(vector, i * dims);
  });
  return Buffer.from(all.buffer);
}

/** Reads one vector back from its bytes. */
export function unpackVector(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  // A view needs an even offset, which a pooled Buffer does not promise.
  const half =
    byteOffset % 2 === 0
      ? new Float16Array(buffer, byteOffset, byteLength / 2)
      : new Float16Array(buffer.slice(byteOffset, byteOffset + byteLength));
  return new Float32Array(half);
}

/** A passage of an article: code-point offsets into its content, end exclusive, and its vector. */
export type NewChunk = { no: number; start: number; end: number; vector: Float32Array };

/** An article with all its passages. */
export type IndexedArticle = { articleId: number; chunks: readonly NewChunk[] };

type IndexingOptions = {
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
async function commitIndexed(
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
  await Promise.all([
    tx`
      update articles set state = 'indexed', state_reason = null, updated_at = now(), searchable_at = now()
      where article_id = any(${ids}::bigint[])`,
    writeEvents(
      tx,
      ids.map((articleId) => ({ type: "article.upserted", articleId, data: {} })),
    ),
  ]);
}

/** A passage as an index by meaning holds it, under the key of its article, with these fields of that. */
export type KeyedChunk<F extends ArticleField = never> = Pick<Article, F> & {
  key: number;
  chunkNo: number;
  start: number;
  end: number;
  vector: Float32Array;
};

/** Returns the model's passages of those of `ids` that are articles, those of an article one after the other. */
async function chunksOfArticles<F extends ArticleField = never>(
  sql: Sql,
  modelId: string,
  ids: readonly number[],
  fields: readonly F[] = [],
): Promise<KeyedChunk<F>[]> {
  if (ids.length === 0) return [];
  const model = await modelNo(sql, modelId);
  const list = fields.length === 0 ? sql`` : sql`, ${select(sql, fields)}`;
  type Row = Omit<KeyedChunk<F>, "key" | "vector"> &
    Pick<Article, F> & { articleNo: number; uuid: string; vector: Buffer };
  const rows = await sql<Row[]>`
    select article_id as "articleNo", doc_id as uuid, chunk_no as "chunkNo", start_offset as start, end_offset as "end",
      vector${list}
    from chunks join articles using (article_id)
    where model_no = ${model} and article_id = any(${[...ids]}::bigint[]) order by article_id, chunk_no`;
  return rows.map((row) => ({ ...row, key: articleKey(row.articleNo, row.uuid), vector: unpackVector(row.vector) }));
}

/** A chunk as a vector index needs it, with these fields of its article. */
type ChunkUpsert<F extends ArticleField = never> = Pick<Article, F> & {
  kind: "upsert";
  seq: number;
  chunkId: number;
  articleId: number;
  chunkNo: number;
  start: number;
  end: number;
  vector: Float32Array;
};

/** All chunks of the article with a smaller `seq` are gone. */
type ChunkDelete = { kind: "delete"; seq: number; articleId: number };

/** One step of the change log. */
export type ChunkChange<F extends ArticleField = never> = ChunkUpsert<F> | ChunkDelete;

type Row<F extends ArticleField> = Omit<ChunkUpsert<F>, "kind" | "vector"> & { vector: Buffer | null };

/**
 * Up to `limit` changes to the model's chunks after `seq`, in their order, each with these fields of its article, and
 * the number to go on from. Apply them in this order: a delete is followed by the chunks that take its place. No change
 * is ever inserted before one that was returned.
 */
async function chunksSince<F extends ArticleField = never>(
  sql: Sql,
  modelId: string,
  seq: number,
  limit: number,
  fields: readonly F[] = [],
): Promise<{ changes: ChunkChange<F>[]; nextSeq: number }> {
  const model = await modelNo(sql, modelId);
  const list = fields.length === 0 ? sql`` : sql`, ${select(sql, fields)}`;
  const nulls = sql.unsafe(", null".repeat(fields.length));
  const rows = await sql<Row<F>[]>`
    (select seq, chunk_id as "chunkId", article_id as "articleId", chunk_no as "chunkNo", start_offset as start,
       end_offset as "end", vector${list}
     from chunks join articles using (article_id)
     where model_no = ${model} and seq > ${seq} order by seq limit ${limit})
    union all
    (select seq, null, article_id, null, null, null, null${nulls}
     from chunk_tombstones where model_no in (0, ${model}) and seq > ${seq} order by seq limit ${limit})
    order by seq limit ${limit}`;
  const changes = rows.map((row) => change(row));
  return { changes, nextSeq: changes.at(-1)?.seq ?? seq };
}

function change<F extends ArticleField>({ vector, ...row }: Row<F>): ChunkChange<F> {
  if (vector === null) return { kind: "delete", seq: row.seq, articleId: row.articleId };
  return { ...row, kind: "upsert", vector: unpackVector(vector) };
}

/** Returns how many chunks the model has and the number of the latest change to them. */
async function chunkCounts(sql: Sql, modelId: string): Promise<{ chunks: number; articles: number; lastSeq: number }> {
  const model = await modelNo(sql, modelId);
  const [row] = await sql<{ chunks: number; articles: number; lastSeq: number }[]>`
    select count(*)::int as chunks, count(distinct article_id)::int as articles,
      greatest(coalesce(max(seq), 0), (select coalesce(max(seq), 0) from chunk_tombstones where model_no in (0, ${model}))) as "lastSeq"
    from chunks where model_no = ${model}`;
  return row ?? { chunks: 0, articles: 0, lastSeq: 0 };
}
