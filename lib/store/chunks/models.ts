import type { Sql, Tx } from "../client.ts";

/** The small number of an embedding model, given out when it is first seen. */
export async function modelNo(sql: Sql | Tx, modelId: string): Promise<number> {
  const [known] = await sql<{ no: number }[]>`select model_no as no from embedding_models where model_id = ${modelId}`;
  if (known !== undefined) return known.no;
  await sql`insert into embedding_models (model_id) values (${modelId}) on conflict do nothing`;
  return modelNo(sql, modelId);
}
