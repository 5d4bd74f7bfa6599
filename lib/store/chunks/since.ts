import type { Sql } from "../client.ts";
import { modelNo } from "../model-no.ts";
import { unpackVector } from "./vectors.ts";

/** A chunk as a vector index needs it; `publishedAt` in ms since 1970. */
export type ChunkUpsert = {
  kind: "upsert";
  seq: number;
  chunkId: number;
  articleId: number;
  chunkNo: number;
  start: number;
  end: number;
  vector: Float32Array;
  lang: string | null;
  sourceId: string;
  categoryId: string | null;
  domain: string;
  publishedAt: number | null;
};

/** All chunks of the article with a smaller `seq` are gone. */
export type ChunkDelete = { kind: "delete"; seq: number; articleId: number };

/** One step of the change log. */
export type ChunkChange = ChunkUpsert | ChunkDelete;

type Row = Omit<ChunkUpsert, "kind" | "vector"> & { vector: Buffer | null };

/**
 * Up to `limit` changes to the model's chunks after `seq`, in their order, and the number to go on from. Apply them in this order: a delete
 * is followed by the chunks that take its place. No change is ever inserted before one that was returned.
 */
export async function chunksSince(
  sql: Sql,
  modelId: string,
  seq: number,
  limit: number,
): Promise<{ changes: ChunkChange[]; nextSeq: number }> {
  const model = await modelNo(sql, modelId);
  const rows = await sql<Row[]>`
    (select seq, chunk_id as "chunkId", c.article_id as "articleId", chunk_no as "chunkNo", start_offset as start, end_offset as "end",
       vector, lang, source_id as "sourceId", category_id as "categoryId", domain,
       (extract(epoch from published_at) * 1000)::float8 as "publishedAt"
     from chunks c join articles a on a.article_id = c.article_id
     where model_no = ${model} and seq > ${seq} order by seq limit ${limit})
    union all
    (select seq, null, article_id, null, null, null, null, null, null, null, null, null
     from chunk_tombstones where model_no in (0, ${model}) and seq > ${seq} order by seq limit ${limit})
    order by seq limit ${limit}`;
  const changes = rows.map(change);
  return { changes, nextSeq: changes.at(-1)?.seq ?? seq };
}

function change({ vector, ...row }: Row): ChunkChange {
  if (vector === null) return { kind: "delete", seq: row.seq, articleId: row.articleId };
  return { kind: "upsert", ...row, vector: unpackVector(vector) };
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
