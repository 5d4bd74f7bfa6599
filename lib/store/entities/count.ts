import type { Sql } from "../client.ts";
import { type EntityCount, type EntityQuery, NUMERIC } from "./types.ts";

/**
 * Returns the entities that are mentioned most, by their names, types and the times of the articles. Mentions are the
 * tagger's where it found the entity in an article, else those in its relations. An entity is called what most articles
 * of all times call it, of several the name that was seen first. Reads all mentions that the conditions leave, and all
 * of the entities that it returns.
 */
export async function countEntities(sql: Sql, { key, type, from, to, limit }: EntityQuery): Promise<EntityCount[]> {
  const time = (ms: number) => sql`to_timestamp(${ms / 1000}::double precision)`;
  return await sql<EntityCount[]>`
    with named as materialized (
      select m.article_id, m.entity_id, m.type, m.mentions, m.tagged
      from article_entities m
      ${
        key === undefined
          ? sql``
          : sql`join (
        select entity_id from entities where position(${key} in name_key) > 0
        union select entity_id from entity_aliases where position(${key} in name_key) > 0
      ) e on e.entity_id = m.entity_id`
      }
      ${from === undefined && to === undefined ? sql`` : sql`join articles a on a.article_id = m.article_id`}
      where true
      ${from === undefined ? sql`` : sql`and a.published_at >= ${time(from)}`}
      ${to === undefined ? sql`` : sql`and a.published_at <= ${time(to)}`}
      ${type === undefined ? sql`and not m.type = any(${NUMERIC})` : sql`and m.type = ${type}`}
    ), by_article as (
      select entity_id,
        coalesce(sum(mentions) filter (where tagged), sum(mentions) filter (where not tagged)) as mentions
      from named group by entity_id, article_id
    ), top as (
      select entity_id, sum(mentions)::int as mentions, count(*)::int as articles
      from by_article group by entity_id order by mentions desc, articles desc, entity_id limit ${limit}
    ), types as (
      select entity_id, array_agg(type order by mentions desc, type) as types
      from (
        select entity_id, type, sum(n.mentions) as mentions
        from (select entity_id, type, mentions from named) n join top t using (entity_id) where type <> '' group by entity_id, type
      ) by_type group by entity_id
    ), names as (
      select distinct on (entity_id) entity_id, name
      from (
        select m.entity_id, coalesce(m.shown_name, e.name) as name, m.shown_name is null as is_first,
          count(distinct m.article_id) as articles
        from top join article_entities m using (entity_id) join entities e using (entity_id)
        group by 1, 2, 3
      ) used order by entity_id, articles desc, is_first desc, name
    )
    select entity_id as "entityId", name, coalesce(types, '{}') as types, mentions, articles
    from top join names using (entity_id) left join types using (entity_id)
    order by mentions desc, articles desc, entity_id`;
}
