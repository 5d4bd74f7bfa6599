-- What the selectors of a profile found lately, over its newest runs that read pages.
create index scraper_runs_selectors on scraper_runs (profile_id, run_id) where selectors <> '{}';
