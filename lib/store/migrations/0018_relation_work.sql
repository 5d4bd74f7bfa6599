-- Arabic articles whose events and their arguments are still to be found, where that is turned on.
create table relation_work (
  article_id   bigint primary key references articles on delete cascade,
  due_at       timestamptz not null default now(),
  attempts     integer not null default 0,
  lease_owner  text,
  lease_until  timestamptz
);
create index relation_work_due on relation_work (due_at);
create index relation_work_held on relation_work (lease_owner) where lease_owner is not null;
