-- compatible_from: 0023_rerank_work_model.sql
-- The outbox carries events of more than articles: each has a subject, `kind:id`, whose events are delivered in order; without
-- one it is the event's article. What an event says beside its article is in `data`. Which kinds there are is the contract's
-- (lib/contract/events-v1.ts), so that a new one needs no migration.
alter table outbox add column subject text, add column data jsonb,
  alter column article_id drop not null, alter column article drop not null,
  drop constraint outbox_type_check, add constraint outbox_type_check check (type ~ '^[a-z]+\.[a-z_]+$'),
  add constraint outbox_subject_check check (subject is not null or article_id is not null);
create index outbox_by_subject on outbox (subject, event_id) where subject is not null;

alter table outbox_deliveries add column subject text;
update outbox_deliveries set subject = 'article:' || article_id;
alter table outbox_deliveries drop constraint outbox_deliveries_pkey,
  alter column article_id drop not null,
  add primary key (consumer, subject, event_id);

-- A worker of an older version that still runs during a restart names the article only.
create function subject_of_delivery() returns trigger language plpgsql as $f$
begin
  select coalesce(subject, 'article:' || article_id) into new.subject from outbox where event_id = new.event_id;
  return new;
end $f$;
create trigger outbox_deliveries_of before insert on outbox_deliveries for each row
  when (new.subject is null) execute function subject_of_delivery();
