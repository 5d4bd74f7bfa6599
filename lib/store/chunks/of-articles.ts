import { type Article, type ArticleField, select } from "../articles/columns.ts";
import type { Sql } from "../client.ts";
import { articleKey } from "../log/key.ts";
import { modelNo } from "../model-no.ts";
import { unpackVector } from "./vectors.ts";

/** A passage as an index by meaning holds it, under the key of its article, with these fields of that. */
export type KeyedChunk<F extends ArticleField = never> = Pick<Article, F> & {
  key: number;
  chunkNo: number;
  start: number;
  end: number;
  vector: Float32Array;
};

/** Returns the model's passages of those of `ids` that are articles, those of an article one after the other. */
export async function chunksOfArticles<F extends ArticleField = never>(
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
