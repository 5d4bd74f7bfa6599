-- Stories: articles that tell of one event. A story keeps its number; one that was joined to another has no articles and names
-- its successor.
create table stories (
  story_id     bigint generated always as identity primary key,
  merged_into  bigint references stories on delete cascade,
  size         integer not null default 0,
  first_seen   timestamptz,
  last_seen    timestamptz,
  -- Its languages, the one that most articles have first, and in each the article with the most central headline.
  langs        text[] not null default '{}',
  headlines    jsonb not null default '{}',
  -- Whether an event has told of it (from the second article on), and whether it has changed since by a deletion.
  announced    boolean not null default false,
  changed      boolean not null default false
);
create index stories_successor on stories (merged_into) where merged_into is not null;
-- A list of stories reads those of some days.
create index stories_by_time on stories using gist (tstzrange(first_seen, last_seen, '[]')) where size > 1;

-- The story of each article, and what articles are compared by: `traits` as lib/stories packs them, in a version of its rules.
-- `keys` are what the table below has of it.
create table story_articles (
  article_id  bigint primary key references articles on delete cascade,
  story_id    bigint references stories,
  -- When it was published, else when it came.
  at          timestamptz not null,
  lang        text,
  version     smallint not null,
  -- Stems of its title, by which stories are searched.
  stems       integer[] not null,
  keys        integer[] not null,
  traits      bytea not null
);
alter table story_articles alter column traits set storage external;
create index story_articles_story on story_articles (story_id, at);
create index story_articles_time on story_articles (at) include (story_id);

-- Articles by their weightiest features, in the order of their times: those near in time that share some are compared.
create table story_keys (
  key         integer not null,
  at          timestamptz not null,
  article_id  bigint not null,
  primary key (key, at, article_id)
);

-- How likely two articles tell of one event, as a logarithm of odds; the lower number first.
create table story_links (
  article_id  bigint not null,
  other_id    bigint not null,
  weight      real not null,
  primary key (article_id, other_id),
  check (article_id < other_id)
);
create index story_links_other on story_links (other_id);

-- An article that goes takes along all that was kept of it, and a story with its last article. What is left of a story is looked
-- at again. The lock is that of whoever tells stories apart, so that neither meets a half of what the other does.
create function forget_story_article() returns trigger language plpgsql as $f$
begin
  perform pg_advisory_xact_lock(4922051780);
  delete from story_keys where key = any(old.keys) and at = old.at and article_id = old.article_id;
  delete from story_links where article_id = old.article_id;
  delete from story_links where other_id = old.article_id;
  if exists (select from story_articles where story_id = old.story_id) then
    update stories s set size = n.size, first_seen = n.first_seen, last_seen = n.last_seen, changed = true
      from (
        select count(*) as size, min(at) as first_seen, max(at) as last_seen
        from story_articles where story_id = old.story_id
      ) as n where s.story_id = old.story_id;
    insert into work (article_id, stage)
      select article_id, 'stories' from story_articles where story_id = old.story_id order by at desc limit 1
      on conflict do nothing;
    perform pg_notify('isnad_work', 'stories');
  else
    delete from stories where story_id = old.story_id;
  end if;
  return null;
end $f$;

create trigger story_articles_gone after delete on story_articles for each row execute function forget_story_article();
