-- compatible_from: 0161_pulls_by_api.sql
-- What the latest run discovered is taken before what waits for longer.
drop index scraper_frontier_waiting;
create index scraper_frontier_waiting on scraper_frontier (profile_id, (attempts > 0), run_id desc nulls last, position)
  where state = 'waiting';
