-- compatible_from: 0100_claims.sql
-- Articles that came from a source within an hour of the clock, in UTC. Hours without any have no row.
create table source_hours (
  hour       timestamptz not null,
  source_id  text not null,
  articles   integer not null,
  primary key (hour, source_id)
);

-- The hours that have been counted, and when: a day whose hours were counted late says nothing about the sources.
create table counted_hours (
  hour        timestamptz primary key,
  counted_at  timestamptz not null
);

-- How the last day of a source stands against its usual ones, and since when (workers/volume-watch.ts).
create table source_volumes (
  source_key  text primary key references sources (key) on update cascade on delete cascade,
  -- The first hour that an article of it was counted in.
  first_hour  timestamptz not null,
  state       text not null default 'usual' check (state in ('usual', 'quiet', 'doubled')),
  since       timestamptz,
  last_day    integer not null default 0,
  -- Null where too little is known of it.
  usual       real
);
create index source_volumes_unusual on source_volumes (source_key) where state <> 'usual';
