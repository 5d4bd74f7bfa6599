-- Articles that a run read and passed over as too old, by the origin of the date that decided.
alter table scraper_runs add column too_old jsonb not null default '{}';
