-- Since when somebody has switched a source off. Not active means only that nobody pulls it: it may be pushed.
alter table sources add column off_since timestamptz;

-- Sources that somebody removed: what is configured elsewhere, as a profile of the scraper, does not bring them back.
create table removed_sources (
  key         text primary key,
  removed_at  timestamptz not null default now()
);

-- The source of the profile that a run is of.
alter table scraper_runs add column source_key text;
create index scraper_runs_by_source on scraper_runs (source_key, run_id) where source_key is not null;

-- The articles of a source, the newest first or since one.
create index articles_by_source on articles (source_id, article_id);
