import type { Sql } from "../client.ts";

/**
 * The articles in which an entity is named, the last `limit` that came, by id. The entity is the one of the number,
 * where there is such a one, else the one of the folded name.
 */
export async function articlesNaming(
  sql: Sql,
  { id, key }: { id?: number | undefined; key: string },
  { limit }: { limit: number },
): Promise<number[]> {
  const rows = await sql<{ articleId: number }[]>`
    with entity as (
      select entity_id from entities where entity_id = ${id ?? null} or name_key = ${key}
      order by entity_id = ${id ?? null} desc nulls last limit 1
    )
    select distinct article_id as "articleId"
    from article_entities where entity_id = (select entity_id from entity)
    order by article_id desc limit ${limit}`;
  return rows.map(({ articleId }) => articleId).reverse();
}
