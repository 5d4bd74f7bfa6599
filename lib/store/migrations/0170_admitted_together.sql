-- compatible_from: 0161_pulls_by_api.sql
-- The articles of a statement get their first rows of work by one insert.
drop trigger articles_admitted on articles;

create or replace function admit_to_work() returns trigger language plpgsql as $f$
begin
  insert into work (article_id, stage) select article_id, 'ingestion' from admitted where state = 'accepted' on conflict do nothing;
  return null;
end $f$;

create trigger articles_admitted after insert on articles referencing new table as admitted
  for each statement execute function admit_to_work();
