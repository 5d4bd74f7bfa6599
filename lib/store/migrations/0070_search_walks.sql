-- compatible_from: 0061_run_too_old.sql
-- The hits of a search that somebody goes through page by page, as they were when that began: 20 bytes a hit, in order.
create table search_walks (
  walk_id  uuid primary key default gen_random_uuid(),
  -- The parameters of the search, hashed: a walk belongs to them.
  query    text not null,
  total    integer not null,
  hits     bytea not null,
  used_at  timestamptz not null default now()
);
alter table search_walks alter column hits set storage external;
create index search_walks_used on search_walks (used_at);
