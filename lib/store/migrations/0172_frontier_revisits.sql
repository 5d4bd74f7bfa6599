-- compatible_from: 0161_pulls_by_api.sql
-- The newest articles of a profile are visited again.
create index scraper_frontier_newest on scraper_frontier (profile_id, discovered_at desc, position) where state = 'done';
