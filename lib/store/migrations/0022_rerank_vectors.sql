-- Models that read passages for the reranker, by name@revision, so that an article carries a small number.
create table rerank_models (
  model_no   smallint generated always as identity primary key,
  model_id   text not null unique
);

-- What the reranker compares with a query: the vectors of an article's first chunks one after the other, a byte (signed)
-- a dimension.
create table rerank_vectors (
  article_id  bigint primary key references articles on delete cascade,
  model_no    smallint not null references rerank_models,
  vectors     bytea not null
);

-- They do not compress.
alter table rerank_vectors alter column vectors set storage external;

-- Indexed articles that are still to be read. Those that were indexed before this are put here when the workers start, as
-- are those that another model read.
create table rerank_work (
  article_id   bigint primary key references articles on delete cascade,
  due_at       timestamptz not null default now(),
  attempts     integer not null default 0,
  lease_owner  text,
  lease_until  timestamptz
);
create index rerank_work_due on rerank_work (due_at, article_id);
create index rerank_work_held on rerank_work (lease_owner) where lease_owner is not null;

-- Vectors go with the text that they were made of, which is read anew; whoever reads it now has lost it. The list comes
-- first: who has just stored vectors is waited for there.
create function forget_rerank_vectors() returns trigger language plpgsql as $f$
begin
  update rerank_work set due_at = now(), attempts = 0, lease_owner = null, lease_until = null
    where article_id = new.article_id;
  with gone as (delete from rerank_vectors where article_id = new.article_id returning article_id)
    insert into rerank_work (article_id) select article_id from gone on conflict do nothing;
  return null;
end $f$;

create trigger articles_text_changed after update of title, content on articles for each row
  when ((old.title, old.content) is distinct from (new.title, new.content)) execute function forget_rerank_vectors();
