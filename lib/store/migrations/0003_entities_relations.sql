create table entities (
  entity_id   bigint generated always as identity primary key,
  -- The name as first seen, and its folded form by which it is found again.
  name        text not null,
  name_key    text not null unique,
  created_at  timestamptz not null default now()
);

create table article_entities (
  article_id    bigint not null references articles on delete cascade,
  entity_id     bigint not null references entities,
  type          text not null default '',
  mentions      integer not null default 1,
  confidence    real,
  primary key (article_id, entity_id, type)
);

create index article_entities_entity on article_entities (entity_id);

-- Offsets count code points of the stored content, end exclusive.
create table relations (
  relation_id   bigint generated always as identity primary key,
  article_id    bigint not null references articles on delete cascade,
  type          text not null,
  args          jsonb not null,
  confidence    real not null,
  start_offset  integer not null,
  end_offset    integer not null,
  meta          jsonb not null default '{}',
  created_at    timestamptz not null default now()
);

create index relations_article on relations (article_id);
