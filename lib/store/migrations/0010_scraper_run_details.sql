-- Why articles did not come, what each feed answered, and on how many pages each selector of the profile found something.
alter table scraper_runs
  add column errors jsonb not null default '[]',
  add column feeds jsonb not null default '[]',
  add column selectors jsonb not null default '{}';
