-- Pulls of a source, asked for, in work and done. A running one holds its source: the index below is the per-source lock. One whose
-- owner is silent (beaten_at) is taken up by another.
create table pull_runs (
  run_id       uuid primary key default uuidv7(),
  source_key   text not null,
  provider     text,
  trigger      text not null check (trigger in ('schedule', 'cli')),
  status       text not null check (status in ('queued', 'running', 'succeeded', 'partial', 'failed')),
  options      jsonb not null default '{}',
  counts       jsonb not null default '{}',
  error        text,
  owner        text,
  attempts     integer not null default 0,
  created_at   timestamptz not null default now(),
  started_at   timestamptz,
  beaten_at    timestamptz,
  finished_at  timestamptz
);

create unique index pull_runs_running on pull_runs (source_key) where status = 'running';
-- Asking twice for the same is asking once.
create unique index pull_runs_queued on pull_runs (source_key, options) where status = 'queued';
create index pull_runs_waiting on pull_runs (created_at) where status in ('queued', 'running');
create index pull_runs_by_source on pull_runs (source_key, created_at desc);

-- What the adapter of a source wants to remember from its last complete pull, for instance a feed's validators.
create table pull_states (
  source_key  text primary key,
  state       jsonb not null,
  updated_at  timestamptz not null default now()
);
