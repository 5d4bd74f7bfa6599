-- The log that followers read: each change of an indexed article is a row, written in the transaction that makes it. Numbers
-- are those of change_seq, given out under the lock of all changes, so that rows become visible in their order. `mark` is
-- random: a number that another history gave out has another one, so that whoever followed up to a row sees whether the log
-- still has it. What a row says is only which article changed; how the article is now stands in its tables.
create table article_log (
  seq         bigint primary key,
  article_id  bigint not null,
  doc_id      uuid not null,
  deleted     boolean not null default false,
  mark        uuid not null default gen_random_uuid(),
  at          timestamptz not null default now()
);
create index article_log_article on article_log (article_id, seq);

-- Which server wrote the log from when on: a promoted replica, or a database that was restored elsewhere, begins another row.
create table log_epochs (
  epoch      uuid primary key default gen_random_uuid(),
  system     text not null,
  timeline   text not null,
  after_seq  bigint not null,
  began_at   timestamptz not null default now()
);

-- Who follows the log: what it has come to, what it is doing, and why it cannot. One process at a time feeds an engine that
-- several could.
create table followers (
  name         text primary key,
  state        text not null,
  seq          bigint not null default 0,
  resets       integer not null default 0,
  reason       text,
  -- What an operator asks for: to compare the index with the database, or to make it again.
  wanted       text check (wanted in ('compare', 'rebuild')),
  lease_owner  text,
  lease_until  timestamptz,
  updated_at   timestamptz not null default now()
);

-- As events are written, whatever version of the platform writes them.
create function log_events() returns trigger language plpgsql as $f$
begin
  insert into article_log (seq, article_id, doc_id, deleted)
    select nextval('change_seq'), e.article_id, (e.article->>'doc_id')::uuid, e.type = 'article.deleted'
    from (select * from added where type in ('article.upserted', 'article.deleted') order by event_id) as e;
  return null;
end $f$;
create trigger outbox_logged after insert on outbox referencing new table as added
  for each statement execute function log_events();

-- An article that was indexed before and gets passages, of another model for instance, has no event.
create function log_chunks() returns trigger language plpgsql as $f$
begin
  insert into article_log (seq, article_id, doc_id)
    select nextval('change_seq'), a.article_id, a.doc_id
    from (select distinct article_id from added) as c join articles a using (article_id)
    where a.state = 'indexed';
  return null;
end $f$;
create trigger chunks_logged after insert on chunks referencing new table as added
  for each statement execute function log_chunks();

select pg_advisory_xact_lock(4922051774);
insert into article_log (seq, article_id, doc_id)
  select nextval('change_seq'), article_id, doc_id
  from (select article_id, doc_id from articles where state = 'indexed' order by article_id) as a;
