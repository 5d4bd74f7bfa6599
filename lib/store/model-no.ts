import type { Sql, Tx } from "./client.ts";

/** The small number of a model (an embedding model unless another table is named), given out when it is first seen. */
export async function modelNo(
  sql: Sql | Tx,
  modelId: string,
  table: "embedding_models" | "entity_models" | "rerank_models" = "embedding_models",
): Promise<number> {
  const name = sql(table);
  const [known] = await sql<{ no: number }[]>`select model_no as no from ${name} where model_id = ${modelId}`;
  if (known !== undefined) return known.no;
  await sql`insert into ${name} (model_id) values (${modelId}) on conflict do nothing`;
  return modelNo(sql, modelId, table);
}
