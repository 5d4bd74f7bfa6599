-- What an article calls an entity, where that is not the entity's own name: the name in the article's language. It is
-- no `name`: a version before this one joins the two tables and reads `name` of entities, also during a rolling restart.
alter table article_entities add column shown_name text;
