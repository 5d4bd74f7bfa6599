-- What an article calls an entity, where that is not the entity's own name: the name in the article's language.
alter table article_entities add column name text;
