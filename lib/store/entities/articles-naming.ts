import type { Sql } from "../client.ts";
import { articleKey } from "../log/key.ts";

/**
 * The keys of the articles in which an entity is named, the last `limit` that came, ascending. The entity is the one
 * of the number, where there is such a one, else the one of the folded name or alias.
 */
export async function articlesNaming(
  sql: Sql,
  { id, key }: { id?: number | undefined; key: string },
  { limit }: { limit: number },
): Promise<number[]> {
  const rows = await sql<{ articleId: number; docId: string }[]>`
    with entity as (
      select entity_id from (
        select 0 as rank, entity_id from entities where entity_id = ${id ?? null}
        union all select 1, entity_id from entities where name_key = ${key}
        union all select 2, entity_id from entity_aliases where name_key = ${key}
      ) named order by rank limit 1
    )
    select a.article_id as "articleId", a.doc_id as "docId"
    from (
      select distinct article_id from article_entities where entity_id = (select entity_id from entity)
      order by article_id desc limit ${limit}
    ) as named join articles a using (article_id) order by a.article_id`;
  return rows.map(({ articleId, docId }) => articleKey(articleId, docId));
}
