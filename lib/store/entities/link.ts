import type { Tx } from "../client.ts";
import { NUMERIC } from "./types.ts";

/**
 * Links the arguments of these articles' relations, where it is known where they stand, to the entity that the tagger
 * found inside of them: of several to the one with the longest name. Idempotent, so both sides call it: who stores
 * relations and who stores entities.
 */
export async function linkArguments(tx: Tx, articleIds: readonly number[]): Promise<void> {
  await tx`
    with mention as materialized (
      select m.article_id, m.entity_id, m.spans[i] as start, m.spans[i + 1] as "end"
      from article_entities m, generate_series(1, cardinality(m.spans), 2) as i
      where m.article_id = any(${[...articleIds]}::bigint[]) and m.tagged and not m.type = any(${NUMERIC})
    ), linked as (
      select r.relation_id, jsonb_object_agg(role, held.entity_id) filter (where held.entity_id is not null) as entities
      from relations r
      cross join lateral jsonb_each(r.meta -> 'spans') as argument (role, span)
      left join lateral (
        select entity_id from mention m
        where m.article_id = r.article_id and m.start >= (span ->> 0)::int and m."end" <= (span ->> 1)::int
        order by m."end" - m.start desc, m.start limit 1
      ) as held on true
      where r.article_id = any(${[...articleIds]}::bigint[]) and jsonb_typeof(r.meta -> 'spans') = 'object'
      group by r.relation_id
    )
    update relations r set meta = r.meta || jsonb_build_object('entities', coalesce(linked.entities, '{}'))
    from linked where r.relation_id = linked.relation_id`;
}
