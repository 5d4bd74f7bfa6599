import { type Article, type ArticleField, select } from "../articles/columns.ts";
import type { Sql } from "../client.ts";
import { modelNo } from "../model-no.ts";
import { unpackVector } from "./vectors.ts";

/** A chunk as a vector index needs it, with these fields of its article. */
export type ChunkUpsert<F extends ArticleField = never> = Pick<Article, F> & {
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
export type ChunkDelete = { kind: "delete"; seq: number; articleId: number };

/** One step of the change log. */
export type ChunkChange<F extends ArticleField = never> = ChunkUpsert<F> | ChunkDelete;

type Row<F extends ArticleField> = Omit<ChunkUpsert<F>, "kind" | "vector"> & { vector: Buffer | null };

/**
 * Up to `limit` changes to the model's chunks after `seq`, in their order, each with these fields of its article, and
 * the number to go on from. Apply them in this order: a delete is followed by the chunks that take its place. No change
 * is ever inserted before one that was returned.
 */
export async function chunksSince<F extends ArticleField = never>(
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

/** How many chunks the model has and the number of the latest change to them. */
export async function chunkCounts(
  sql: Sql,
  modelId: string,
): Promise<{ chunks: number; articles: number; lastSeq: number }> {
  const model = await modelNo(sql, modelId);
  const [row] = await sql<{ chunks: number; articles: number; lastSeq: number }[]>`
    select count(*)::int as chunks, count(distinct article_id)::int as articles,
      greatest(coalesce(max(seq), 0), (select coalesce(max(seq), 0) from chunk_tombstones where model_no in (0, ${model}))) as "lastSeq"
    from chunks where model_no = ${model}`;
  return row ?? { chunks: 0, articles: 0, lastSeq: 0 };
}
