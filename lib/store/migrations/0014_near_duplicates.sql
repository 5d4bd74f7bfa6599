-- Near-duplicate signatures (64-bit SimHash) get a table of their own, written once an article, with an index by which those
-- that differ in a few bits are found: cut into six bands, they mostly agree in one of them.
create function simhash_bands(signature bigint) returns integer[] language sql immutable strict parallel safe as $f$
  select case when signature = 0 then '{}'::integer[] else array[
    (signature & 2047)::integer,
    (((signature >> 11) & 2047) + 2048)::integer,
    (((signature >> 22) & 2047) + 4096)::integer,
    (((signature >> 33) & 2047) + 6144)::integer,
    (((signature >> 44) & 1023) + 8192)::integer,
    (((signature >> 54) & 1023) + 9216)::integer] end
$f$;

create table article_signatures (
  article_id  bigint primary key,
  simhash     bigint not null
);

insert into article_signatures (article_id, simhash) select article_id, simhash from articles where simhash is not null;
alter table articles drop column simhash;

-- Whoever looks something up reads the list of what is not yet sorted in, too: it is kept short (64 kB).
create index article_signatures_bands on article_signatures using gin (simhash_bands(simhash))
  with (gin_pending_list_limit = 64);
