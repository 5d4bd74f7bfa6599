-- What texts share. An article has a row once it was looked at: how many words its text has, its anchors (hashes of some of its
-- runs of five words, by which texts that share some find each other), and the sources that the text names.
create table article_copies (
  article_id  bigint primary key references articles on delete cascade,
  -- The text that was read: the revision that its own source held to then.
  revision    integer not null,
  -- The version of the rules that read it.
  version     smallint not null,
  words       integer not null,
  anchors     integer[] not null,
  credits     jsonb not null default '[]'
);

-- Whoever looks something up reads the list of what is not yet sorted in, too: it is kept short (64 kB).
create index article_copies_anchors on article_copies using gin (anchors) with (gin_pending_list_limit = 64);

-- Two articles that share passages, a row each way. overlap: the share of the words of article_id that stand in passages that
-- other_id has, too; overlap_of_other: the same the other way round.
create table copy_links (
  article_id        bigint not null references articles on delete cascade,
  other_id          bigint not null references articles on delete cascade,
  overlap           real not null,
  overlap_of_other  real not null,
  confidence        real not null,
  primary key (article_id, other_id),
  check (article_id <> other_id)
);
create index copy_links_other on copy_links (other_id);

-- A pair that was answered `duplicate` keeps the time that it came with, and when it came.
alter table article_pairs add column alias_published_at timestamptz, add column alias_at timestamptz;

-- The signatures by which near duplicates were told apart before. The table stays, empty, for a version before this one that
-- still runs during a restart.
truncate article_signatures;
drop index article_signatures_bands;
