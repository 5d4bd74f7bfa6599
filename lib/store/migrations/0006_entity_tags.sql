-- Where the mentions in the content stand: start and end of each, in turn, in code points, end exclusive.
alter table article_entities add column spans integer[] not null default '{}';

-- Which of them the tagger found; the others came with relations.
alter table article_entities add column tagged boolean not null default false;

-- Articles whose entities are still to be found. A row is leased by moving `due_at` on, and goes when its article is done.
create table entity_work (
  article_id  bigint primary key references articles on delete cascade,
  due_at      timestamptz not null default now(),
  attempts    integer not null default 0
);

create index entity_work_due on entity_work (due_at);

insert into entity_work (article_id) select article_id from articles where state = 'indexed';
