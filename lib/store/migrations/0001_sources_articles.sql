-- Sources of articles. tier: 1 (most trusted) to 3.
create table sources (
  key         text primary key,
  provider    text,
  name        text not null,
  feed_url    text,
  homepage    text,
  language    text,
  tier        smallint not null default 3 check (tier between 1 and 3),
  active      boolean not null default false,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

-- uuidv7() is part of Postgres 18; an older server gets the same function here.
do $$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is null then
    execute $f$
      create function uuidv7() returns uuid language sql volatile parallel safe as $b$
        select encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
              placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
            52, 1), 53, 1), 'hex')::uuid
      $b$
    $f$;
  end if;
end $$;

create table articles (
  article_id          bigint generated always as identity primary key,
  doc_id              uuid not null default uuidv7() unique,
  source_id           text not null,
  external_id         text not null,
  url                 text not null,
  canonical_url       text not null,
  domain              text not null,
  title               text not null,
  content             text not null,
  content_hash        bytea not null unique,
  lang                text,
  published_at        timestamptz,
  authors             text[] not null default '{}',
  images              text[] not null default '{}',
  raw                 jsonb,
  category_label      text,
  provider            text,
  category_id         text,
  category_source     text,
  category_confidence real,
  taxonomy_version    text,
  simhash             bigint,
  state               text not null default 'accepted' check (state in ('accepted', 'normalized', 'indexed', 'failed')),
  state_reason        text,
  queued_at           timestamptz not null default now(),
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now()
);

-- Bodies are stored as they are: compressing them on the way in costs a third of the insert.
alter table articles alter column content set storage external;

-- What is still to be worked on, oldest first.
create index articles_pending on articles (queued_at) where state in ('accepted', 'normalized');

-- Every pair under which an article is known: its own, and those of duplicates that came from elsewhere (aliases). The primary
-- key decides races. No foreign key: one would cost each admitted row a lookup and a row lock.
create table article_pairs (
  source_id    text not null,
  external_id  text not null,
  article_id   bigint not null,
  -- Null for the article's own pair.
  alias_url    text,
  primary key (source_id, external_id)
);

create index article_pairs_article on article_pairs (article_id);

-- Answers kept under an Idempotency-Key, scoped to the token. status is null while the first request is in work.
create table idempotency_keys (
  token_hash   bytea not null,
  key          text not null,
  body_hash    bytea not null,
  status       smallint,
  body         text,
  article_ids  bigint[] not null default '{}',
  expires_at   timestamptz not null,
  primary key (token_hash, key)
);

create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_articles on idempotency_keys using gin (article_ids);
