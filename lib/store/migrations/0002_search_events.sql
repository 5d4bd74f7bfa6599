-- Embedding models by name@revision, so that a chunk carries a small number.
create table embedding_models (
  model_no   smallint generated always as identity primary key,
  model_id   text not null unique
);

-- Order of changes to chunks and of events. Both are given out under one transaction-scoped advisory lock, so a reader that has
-- seen a number never meets a smaller one later.
create sequence change_seq as bigint;

-- Passages of an article with their vectors (float16, little endian). Offsets count code points of the content.
create table chunks (
  chunk_id      bigint generated always as identity primary key,
  article_id    bigint not null,
  model_no      smallint not null references embedding_models,
  chunk_no      integer not null,
  start_offset  integer not null,
  end_offset    integer not null,
  seq           bigint not null,
  vector        bytea not null,
  unique (article_id, model_no, chunk_no)
);

alter table chunks alter column vector set storage plain;
create unique index chunks_by_change on chunks (model_no, seq);

-- The last moment at which all chunks of an article (of one model, or of every model when model_no is 0) ceased to be.
create table chunk_tombstones (
  article_id  bigint not null,
  model_no    smallint not null default 0,
  seq         bigint not null unique,
  primary key (article_id, model_no)
);

create table outbox (
  event_id     bigint primary key,
  type         text not null check (type in ('article.upserted', 'article.deleted')),
  article_id   bigint not null,
  article      jsonb not null,
  occurred_at  timestamptz not null default now()
);

-- How far each consumer has taken events out of the outbox, and the events that it has taken and not yet acknowledged.
create table outbox_consumers (
  consumer  text primary key,
  position  bigint not null default 0
);

create table outbox_deliveries (
  consumer    text not null references outbox_consumers on delete cascade,
  article_id  bigint not null,
  event_id    bigint not null,
  attempts    integer not null default 0,
  due_at      timestamptz not null default now(),
  last_error  text,
  primary key (consumer, article_id, event_id)
);

create index outbox_deliveries_due on outbox_deliveries (consumer, due_at);
create index outbox_deliveries_event on outbox_deliveries (event_id);

create table worker_metrics (
  instance    text primary key,
  body        jsonb not null,
  updated_at  timestamptz not null default now()
);
