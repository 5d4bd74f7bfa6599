-- A pull may be asked for over HTTP.
alter table pull_runs drop constraint pull_runs_trigger_check;
alter table pull_runs add constraint pull_runs_trigger_check check (trigger in ('schedule', 'cli', 'api'));
