-- How many articles had passages in common with a text when it was judged to share another's: once there are twice as many, it
-- is known better which passages are boilerplate, and what was joined is judged again.
alter table copy_links add column carriers integer not null default 0;
