-- What is still to be done to articles, a row an article and stage: the one table that every stage takes its work from. A row
-- is leased to one process at a time, and goes in the transaction that stores what the stage made, which writes those of the
-- stages that follow. No foreign key: one would cost each admitted article a lookup and a row lock; a row whose article is gone
-- ends by itself.
create table work (
  article_id    bigint not null,
  stage         text not null,
  -- Higher goes first; below 0: done before, to be done again.
  priority      smallint not null default 0,
  queued_at     timestamptz not null default now(),
  due_at        timestamptz not null default now(),
  attempts      smallint not null default 0,
  -- Why the last attempt failed.
  reason        text,
  -- When it was set aside: it has had its attempts, and waits for an operator, or for another version of the stage.
  set_aside_at  timestamptz,
  -- The version (a model) that set it aside.
  version       text,
  lease_owner   text,
  lease_until   timestamptz,
  primary key (article_id, stage)
);

-- The newest articles first.
create index work_due on work (stage, priority desc, article_id desc) where set_aside_at is null;
create index work_held on work (lease_owner) where lease_owner is not null;
create index work_set_aside on work (stage) where set_aside_at is not null;

-- Whoever admits an article, of whatever version, has written its first row of work.
create function admit_to_work() returns trigger language plpgsql as $f$
begin
  insert into work (article_id, stage) values (new.article_id, 'ingestion') on conflict do nothing;
  return null;
end $f$;

create trigger articles_admitted after insert on articles for each row
  when (new.state = 'accepted') execute function admit_to_work();

insert into work (article_id, stage, queued_at)
  select article_id, case state when 'accepted' then 'ingestion' else 'analysis' end, queued_at
  from articles where state in ('accepted', 'normalized');

-- What was held by a process stays with it until its lease ends.
insert into work (article_id, stage, priority, due_at, attempts, set_aside_at, lease_owner, lease_until)
  select article_id, 'entities', case when again then -1 else 0 end, due_at, attempts,
    case when attempts >= 5 and (lease_until is null or lease_until <= now()) then now() end, lease_owner, lease_until
  from entity_work;
insert into work (article_id, stage, due_at, attempts, set_aside_at, lease_owner, lease_until)
  select article_id, 'relations', due_at, attempts,
    case when attempts >= 5 and (lease_until is null or lease_until <= now()) then now() end, lease_owner, lease_until
  from relation_work;
insert into work (article_id, stage, due_at, attempts, set_aside_at, version, lease_owner, lease_until)
  select article_id, 'rerank', due_at, attempts,
    case when attempts >= 5 and (lease_until is null or lease_until <= now()) then now() end, model_id, lease_owner, lease_until
  from rerank_work left join rerank_models using (model_no);
delete from entity_work;
delete from relation_work;
delete from rerank_work;

-- The tables of before stay for a while, empty: a worker of the version before this one that still runs during a restart writes
-- what comes next there, and it arrives here.
create function pass_to_work() returns trigger language plpgsql as $f$
begin
  insert into work (article_id, stage) values (new.article_id, tg_argv[0]) on conflict do nothing;
  return null;
end $f$;

create trigger entity_work_passed before insert on entity_work for each row execute function pass_to_work('entities');
create trigger relation_work_passed before insert on relation_work for each row execute function pass_to_work('relations');
create trigger rerank_work_passed before insert on rerank_work for each row execute function pass_to_work('rerank');

create or replace function forget_rerank_vectors() returns trigger language plpgsql as $f$
begin
  update work set due_at = now(), attempts = 0, set_aside_at = null, reason = null, lease_owner = null, lease_until = null
    where article_id = new.article_id and stage = 'rerank';
  with gone as (delete from rerank_vectors where article_id = new.article_id returning article_id)
    insert into work (article_id, stage) select article_id, 'rerank' from gone on conflict do nothing;
  return null;
end $f$;
