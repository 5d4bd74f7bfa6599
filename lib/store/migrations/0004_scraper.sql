create table scraper_runs (
  run_id       uuid primary key default uuidv7(),
  profile_id   text not null,
  provider     text not null,
  trigger      text not null check (trigger in ('schedule', 'api', 'cli')),
  status       text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'partial', 'failed')),
  item_limit   integer,
  options      jsonb,
  counts       jsonb not null default '{}',
  error        text,
  created_at   timestamptz not null default now(),
  started_at   timestamptz,
  finished_at  timestamptz,
  -- Who works on it, and when it was last heard of.
  owner        text,
  beat_at      timestamptz
);

-- Decides races: a profile has at most one run that is not over.
create unique index scraper_runs_active on scraper_runs (profile_id) where status in ('queued', 'running');
create index scraper_runs_by_profile on scraper_runs (profile_id, run_id);

-- The last slot of each profile's schedule that was claimed.
create table scraper_schedule (
  profile_id  text primary key,
  slot        timestamptz not null
);

-- Articles that were discovered. url_key is the SHA-256 of the URL, which may be too long for an index.
create table scraper_frontier (
  profile_id     text not null,
  url_key        bytea not null,
  url            text not null,
  run_id         uuid,
  entry          jsonb not null,
  category       text,
  stamp          text not null,
  state          text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'skipped')),
  reason         text,
  attempts       integer not null default 0,
  -- While waiting: not to be taken before this. A row that was taken is due again when its lease ends.
  due_at         timestamptz not null default now(),
  owner          text,
  position       bigint generated always as identity,
  discovered_at  timestamptz not null default now(),
  settled_at     timestamptz,
  primary key (profile_id, url_key)
);

create index scraper_frontier_waiting on scraper_frontier (profile_id, position) where state = 'waiting';

create table scraper_validators (
  profile_id     text not null,
  url_key        bytea not null,
  etag           text,
  last_modified  text,
  content_hash   text,
  updated_at     timestamptz not null default now(),
  primary key (profile_id, url_key)
);

create table scraper_items (
  item_no       bigint generated always as identity primary key,
  profile_id    text not null,
  -- The stable id within the profile's source.
  item_id       text not null,
  url_key       bytea not null,
  url           text not null,
  run_id        uuid,
  item          jsonb not null,
  content_hash  text not null,
  revision      integer not null default 1,
  state         text not null check (state in ('kept', 'pending', 'sent', 'duplicate', 'conflict', 'failed')),
  article_id    bigint,
  reason        text,
  attempts      integer not null default 0,
  -- While pending: not to be handed out before this. An item that was handed out is due again when its lease ends.
  due_at        timestamptz not null default now(),
  owner         text,
  kept_at       timestamptz not null default now(),
  settled_at    timestamptz,
  unique (profile_id, item_id)
);

create index scraper_items_pending on scraper_items (item_no) where state = 'pending';
create index scraper_items_by_url on scraper_items (profile_id, url_key);
create index scraper_items_by_profile on scraper_items (profile_id, item_no);
create index scraper_items_by_run on scraper_items (run_id, item_no);

-- When each host may be asked next, and the requests to it that are under way.
create table host_turns (
  host     text primary key,
  next_at  timestamptz not null default '-infinity'
);

create table host_leases (
  lease_id  uuid primary key default gen_random_uuid(),
  host      text not null,
  ends_at   timestamptz not null
);

create index host_leases_by_host on host_leases (host);

-- Gives a lease (lease_id) or how long to wait (wait_ms). Times are taken after the host's row is locked: who waits for the
-- lock must not act on a clock reading from before.
create function acquire_host_turn(
  wanted text, concurrency integer, min_delay_ms float8, hold_ms float8, out given uuid, out wait_ms float8
) language plpgsql as $f$
declare
  next_turn timestamptz;
  moment timestamptz;
  under_way integer;
  first_end timestamptz;
begin
  loop
    insert into host_turns (host) values (wanted) on conflict do nothing;
    select next_at into next_turn from host_turns where host = wanted for update;
    exit when found;
  end loop;
  moment := clock_timestamp();
  if next_turn > moment then
    wait_ms := extract(epoch from next_turn - moment) * 1000;
    return;
  end if;
  delete from host_leases where host = wanted and ends_at <= moment;
  select count(*), min(ends_at) into under_way, first_end from host_leases where host = wanted;
  if under_way >= concurrency then
    wait_ms := least(100, extract(epoch from first_end - moment) * 1000);
    return;
  end if;
  insert into host_leases (host, ends_at) values (wanted, moment + make_interval(secs => hold_ms / 1000))
    returning lease_id into given;
  update host_turns set next_at = moment + make_interval(secs => min_delay_ms / 1000) where host = wanted;
end $f$;
