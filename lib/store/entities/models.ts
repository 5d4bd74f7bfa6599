import type { Sql } from "../client.ts";

/**
 * Indexed articles that do not wait for their entities, by the model that found them; null: it was not kept, or none
 * did.
 */
export type EntityModelCount = { modelId: string | null; articles: number };

/** Counts articles by the model that found their entities, most frequent first. Reads the whole table of articles. */
export async function countEntityModels(sql: Sql): Promise<EntityModelCount[]> {
  return await sql<EntityModelCount[]>`
    select m.model_id as "modelId", count(*)::int as articles
    from articles a
    left join entity_finds f using (article_id)
    left join entity_models m using (model_no)
    where a.state = 'indexed' and not exists (
      select from work w where w.article_id = a.article_id and w.stage = 'entities' and w.set_aside_at is null)
    group by m.model_id order by articles desc, m.model_id`;
}
