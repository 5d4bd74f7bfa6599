import type { Sql } from "../client.ts";

/**
 * The vectors of those of these articles that this model read, by article: of its first chunks, one after the other.
 */
export async function rerankVectorsOf(
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
