-- Tells whether articles could be written now, by doing as a write does: it waits a second at most for the table that every
-- admission writes, and changes a row of its own.
create table write_probe (
  one  boolean primary key default true check (one),
  at   timestamptz not null
);

create function probe_write() returns void language plpgsql set lock_timeout = '1s' as $$
begin
  lock table articles in row exclusive mode;
  insert into write_probe (at) values (clock_timestamp()) on conflict (one) do update set at = excluded.at;
end
$$;
