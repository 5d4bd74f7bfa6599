-- compatible_from: 0161_pulls_by_api.sql
-- A clock that is set back leaves turns of its future: they count from when they were given.
alter table host_turns add column given_at timestamptz not null default clock_timestamp();

create or replace function acquire_host_turn(
  wanted text, concurrency integer, min_delay_ms float8, hold_ms float8, out given uuid, out wait_ms float8
) language plpgsql as $f$
declare
  next_turn timestamptz;
  given_when timestamptz;
  moment timestamptz;
  under_way integer;
  first_end timestamptz;
begin
  loop
    insert into host_turns (host) values (wanted) on conflict do nothing;
    select next_at, given_at into next_turn, given_when from host_turns where host = wanted for update;
    exit when found;
  end loop;
  moment := clock_timestamp();
  if next_turn > moment then
    if given_when > moment then
      next_turn := next_turn - (given_when - moment);
      update host_turns set next_at = next_turn, given_at = moment where host = wanted;
    end if;
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
  update host_turns set next_at = moment + make_interval(secs => min_delay_ms / 1000), given_at = moment where host = wanted;
end $f$;
