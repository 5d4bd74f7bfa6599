-- Arguments of relations that the platform found by itself were entities of no type, whatever they said. They are arguments
-- again, but for those that the tagger found in the same article, too. What an external worker reported stays.
create temporary table own_relations on commit drop as
  select a.article_id from articles a
  where a.article_id in (select article_id from relations)
    and a.raw #>> '{ai,re_rid}' = 'relations-' || a.article_id and a.raw #>> '{ai,relations,task_version}' = 're-1';

create temporary table unnamed on commit drop as
  select m.entity_id from article_entities m join own_relations using (article_id) where not m.tagged;

delete from article_entities m using own_relations o where m.article_id = o.article_id and not m.tagged;

update relations r set meta = r.meta || jsonb_build_object('entities', coalesce((
    select jsonb_object_agg(role, id) from jsonb_each(r.meta -> 'entities') as e (role, id)
    where exists (select from article_entities m
      where m.article_id = r.article_id and m.tagged and to_jsonb(m.entity_id) = id)), '{}'))
from own_relations o where r.article_id = o.article_id and jsonb_typeof(r.meta -> 'entities') = 'object';

delete from entities e where e.entity_id in (select entity_id from unnamed)
  and not exists (select from article_entities m where m.entity_id = e.entity_id);
