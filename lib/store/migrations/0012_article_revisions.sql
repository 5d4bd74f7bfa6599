-- What sources say of articles after they were stored. The article as it was stored is revision 1 and stands in `articles`.
create table article_revisions (
  article_id    bigint not null references articles on delete cascade,
  revision      integer not null check (revision > 1),
  kind          text not null check (kind in ('changed', 'deleted_at_source')),
  reported_at   timestamptz not null default now(),
  -- The pair under which it was reported.
  source_id     text not null,
  external_id   text not null,
  request_id    text,
  url           text,
  title         text,
  content       text,
  content_hash  bytea,
  primary key (article_id, revision),
  check ((kind = 'changed') = (content_hash is not null))
);

-- The same text is kept once.
create unique index article_revisions_content on article_revisions (article_id, content_hash);

-- What each source says now: the revision (null: as stored), and since when it has the article no more.
alter table article_pairs add column revision integer, add column gone_at timestamptz;

alter table outbox drop constraint outbox_type_check,
  add constraint outbox_type_check check (type in ('article.upserted', 'article.deleted', 'article.revised')),
  add column revision jsonb;

-- Since when an article's page is gone from its source; while pending, that is what is to be reported.
alter table scraper_items add column gone_at timestamptz;
