-- When an article became searchable, so that a saved search tells what comes from what there was: null is before this file.
alter table articles add column searchable_at timestamptz;

-- Numbers the changes of saved searches, given out under a lock, so that whoever holds them in memory sees what is new.
create sequence saved_search_changes;

-- Searches that are kept, and matched by each article that becomes searchable (lib/search/watch).
create table saved_searches (
  search_id       bigint generated always as identity primary key,
  name            text not null,
  -- The parameters as they were given, with the defaults of a saved search.
  query           jsonb not null,
  min_similarity  float8,
  active          boolean not null default true,
  -- It asks for an entity, which is known of an article only some time after this has become searchable.
  of_entities     boolean not null default false,
  webhook         text,
  digest          text not null default 'none' check (digest in ('none', 'hourly', 'daily')),
  -- Null: nobody may read the feeds.
  feed_key        text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- Articles that became searchable before are not matched.
  watched_from    timestamptz not null default now(),
  change_no       bigint not null,
  -- The events of its subject in the outbox: up to which one they are delivered, when the next is to be, and how that went.
  delivered_id    bigint not null default 0,
  due_at          timestamptz,
  attempts        integer not null default 0,
  failures        integer not null default 0,
  last_error      text,
  lease_owner     text,
  lease_until     timestamptz
);
create unique index saved_searches_by_change on saved_searches (change_no);
create index saved_searches_due on saved_searches (due_at) where due_at is not null;
create index saved_searches_held on saved_searches (lease_owner) where lease_owner is not null;

create table search_matches (
  search_id   bigint not null references saved_searches on delete cascade,
  article_id  bigint not null references articles on delete cascade,
  match_no    bigint not null,
  matched_at  timestamptz not null default now(),
  -- By meaning; null for a match by word alone.
  similarity  real,
  primary key (search_id, article_id)
);
create index search_matches_newest on search_matches (search_id, match_no);
create index search_matches_of_article on search_matches (article_id);

-- What a model makes of a search's words.
create table search_vectors (
  search_id  bigint not null references saved_searches on delete cascade,
  model_id   text not null,
  vector     bytea not null,
  -- false: made without the words of the other language, for the search service was away.
  whole      boolean not null,
  primary key (search_id, model_id)
);

-- Articles whose entities have become known, for the searches that ask for one.
create table search_rechecks (
  article_id  bigint primary key
);

-- Up to where in the log articles have been matched: one row.
create table search_watch (
  one    boolean primary key default true check (one),
  seq    bigint not null,
  mark   text not null,
  at     timestamptz not null default now()
);

-- Events of searches go to their own webhooks alone: what all other consumers take, in its order.
create index outbox_for_all on outbox (event_id) where type not like 'search.%';
