import type { Sql } from "../client.ts";

/**
 * The articles in which an entity is named, the last `limit` that came, by id. The entity is the one of the number,
 * where there is such a one, else the one of the folded name or alias.
 */
export async function articlesNaming(
  sql: Sql,
  { id, key }: { id?: number | undefined; key: string },
  { limit }: { limit: number },
): Promise<number[]> {
  const rows = await sql<{ articleId: number }[]>`
    with entity as (
      select entity_id from (
        select 0 as rank, entity_id from entities where entity_id = ${id ?? null}
        union all select 1, entity_id from entities where name_key = ${key}
        union all select 2, entity_id from entity_aliases where name_key = ${key}
      ) named order by rank limit 1
    )
    select distinct article_id as "articleId"
    from article_entities where entity_id = (select entity_id from entity)
    order by article_id desc limit ${limit}`;
  return rows.map(({ articleId }) => articleId).reverse();
}
