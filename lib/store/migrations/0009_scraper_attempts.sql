-- A run is held under a lease, and how often it was begun is counted: one that ends its process each time is given up.
alter table scraper_runs rename column owner to lease_owner;
alter table scraper_runs add column lease_until timestamptz;
alter table scraper_runs add column attempts integer not null default 0;
update scraper_runs set lease_until = beat_at, attempts = 1 where status = 'running';
alter table scraper_runs drop column beat_at;

create index scraper_runs_leased on scraper_runs (lease_until) where status = 'running';

-- Articles that were never tried come before those that are tried again.
drop index scraper_frontier_waiting;
create index scraper_frontier_waiting on scraper_frontier (profile_id, (attempts > 0), position) where state = 'waiting';
