-- Whatever one process works on at a time says so in the same columns: lease_owner and lease_until, null or past while nobody
-- holds it, and attempts. What is due later says so in due_at. Rows that were held when this ran are free when their old
-- lease would have ended.
alter table scraper_frontier rename column owner to lease_owner;
alter table scraper_frontier add column lease_until timestamptz;
update scraper_frontier set lease_until = due_at where lease_owner is not null and state = 'waiting';
create index scraper_frontier_held on scraper_frontier (lease_owner) where lease_owner is not null;

alter table scraper_items rename column owner to lease_owner;
alter table scraper_items add column lease_until timestamptz;
update scraper_items set lease_until = due_at where lease_owner is not null and state = 'pending';

alter table pull_runs rename column owner to lease_owner;
alter table pull_runs add column lease_until timestamptz;
update pull_runs set lease_until = beaten_at where status = 'running';
alter table pull_runs drop column beaten_at;

alter table entity_work add column lease_owner text;
alter table entity_work add column lease_until timestamptz;
update entity_work set lease_until = due_at where attempts > 0 and due_at > now();
create index entity_work_held on entity_work (lease_owner) where lease_owner is not null;

alter table outbox_deliveries add column lease_owner text;
alter table outbox_deliveries add column lease_until timestamptz;
create index outbox_deliveries_held on outbox_deliveries (lease_owner) where lease_owner is not null;

alter table host_leases rename column ends_at to lease_until;

create or replace function acquire_host_turn(
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
  delete from host_leases where host = wanted and lease_until <= moment;
  select count(*), min(lease_until) into under_way, first_end from host_leases where host = wanted;
  if under_way >= concurrency then
    wait_ms := least(100, extract(epoch from first_end - moment) * 1000);
    return;
  end if;
  insert into host_leases (host, lease_until) values (wanted, moment + make_interval(secs => hold_ms / 1000))
    returning lease_id into given;
  update host_turns set next_at = moment + make_interval(secs => min_delay_ms / 1000) where host = wanted;
end $f$;
