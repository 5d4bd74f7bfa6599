-- Models that find entities, by name@revision, so that an article carries a small number.
create table entity_models (
  model_no   smallint generated always as identity primary key,
  model_id   text not null unique
);

-- The model by which the entities of an article were found last. An article whose entities were found before this was kept
-- has no row.
create table entity_finds (
  article_id  bigint primary key references articles on delete cascade,
  model_no    smallint not null references entity_models
);

-- Articles put back to work for another model come after those that have no entities yet.
alter table entity_work add column again boolean not null default false;
drop index entity_work_due;
create index entity_work_due on entity_work (again, due_at);
