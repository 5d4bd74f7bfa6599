-- What is claimed, how often, and what was checked. A claim is one thing said, in whatever words, articles and languages; a
-- mention is a sentence of an article that says it. Offsets count code points of the stored content, end exclusive.
create table claim_models (
  model_no   smallint generated always as identity primary key,
  model_id   text not null unique
);

create table claims (
  claim_id    bigint generated always as identity primary key,
  -- Of change_seq, given out under the lock of claims when it is made and when its vector is: whoever follows claims by it
  -- misses none.
  seq         bigint not null,
  -- As its first mention has it.
  text        text not null,
  lang        text not null,
  article_id  bigint not null,
  -- Stems of its words, by which it is searched.
  terms       text[] not null,
  -- Who and what it names, as far as the tagger found them.
  names       text[] not null default '{}',
  -- What it means, by the embedding model of this number: signed bytes of which the direction counts.
  model_no    smallint not null references embedding_models,
  vector      bytea not null,
  -- Its text is that of another mention than the one that the terms and the vector were made of: they are to be made again.
  stale       boolean not null default false,
  -- Over all mentions: the highest score, articles, sources, and the times of the first and the last.
  score       real not null,
  articles    integer not null,
  sources     integer not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  created_at  timestamptz not null default now()
);
alter table claims alter column vector set storage external;
create unique index claims_seq on claims (seq);
create index claims_score on claims (score, claim_id);
create index claims_newest on claims (last_at, claim_id);
create index claims_repeats on claims (articles, claim_id);
create index claims_terms on claims using gin (terms);
create index claims_stale on claims (claim_id) where stale;
create index claims_model on claims (model_no);

create table claim_mentions (
  article_id    bigint not null references articles on delete cascade,
  start_offset  integer not null,
  end_offset    integer not null,
  claim_id      bigint not null references claims,
  score         real not null,
  lang          text not null,
  source_id     text not null,
  -- When the article was published, else when it came.
  at            timestamptz not null,
  -- Who is named as having said it: {name, start, end, entity_id?}.
  speaker       jsonb,
  primary key (article_id, start_offset)
);
create index claim_mentions_claim on claim_mentions (claim_id, at) include (article_id, source_id, score);
create index claim_mentions_at on claim_mentions (at, claim_id) include (score);
create index claim_mentions_source on claim_mentions (source_id, at, claim_id) include (score);

-- The model by which the claims of an article were found last; an article without a row has not been read yet.
create table claim_finds (
  article_id  bigint primary key references articles on delete cascade,
  model_no    smallint not null references claim_models
);

-- Brings what claims say of their mentions up to date, in the order of their numbers as every writer locks them; a claim that
-- nothing mentions goes. Where the mention goes that a claim was shown by, the first one left takes its place.
create function recount_claims(ids bigint[]) returns void language plpgsql as $f$
begin
  perform from claims where claim_id = any(ids) order by claim_id for update;
  delete from claims c where c.claim_id = any(ids)
    and not exists (select from claim_mentions m where m.claim_id = c.claim_id);
  update claims c set score = r.score, articles = r.articles, sources = r.sources, first_at = r.first_at, last_at = r.last_at
  from (
    select claim_id, max(score) as score, count(distinct article_id) as articles, count(distinct source_id) as sources,
      min(at) as first_at, max(at) as last_at
    from claim_mentions where claim_id = any(ids) group by claim_id
  ) r where c.claim_id = r.claim_id;
  update claims c set text = f.text, lang = f.lang, article_id = f.article_id, stale = true
  from (
    select distinct on (m.claim_id) m.claim_id, m.article_id, m.lang,
      substring(a.content from m.start_offset + 1 for m.end_offset - m.start_offset) as text
    from claim_mentions m join claims own using (claim_id) join articles a on a.article_id = m.article_id
    where m.claim_id = any(ids) and not exists (
      select from claim_mentions o where o.claim_id = own.claim_id and o.article_id = own.article_id)
    order by m.claim_id, m.at, m.article_id, m.start_offset
  ) f where c.claim_id = f.claim_id;
end $f$;

create function claim_mentions_gone() returns trigger language plpgsql as $f$
begin
  perform recount_claims(array(select distinct claim_id from gone order by claim_id));
  return null;
end $f$;
create trigger claim_mentions_gone after delete on claim_mentions referencing old table as gone
  for each statement execute function claim_mentions_gone();

-- Claims go with the text that they stand in, which is read again.
create function forget_claims() returns trigger language plpgsql as $f$
begin
  update work set due_at = now(), attempts = 0, set_aside_at = null, reason = null, lease_owner = null, lease_until = null
    where article_id = new.article_id and stage = 'claims';
  delete from claim_mentions where article_id = new.article_id;
  with gone as (delete from claim_finds where article_id = new.article_id returning article_id)
    insert into work (article_id, stage) select article_id, 'claims' from gone on conflict do nothing;
  return null;
end $f$;
create trigger articles_claims_changed after update of title, content on articles for each row
  when ((old.title, old.content) is distinct from (new.title, new.content)) execute function forget_claims();

-- What was checked: written at the desk, imported, or met on crawled pages. `seq` is that of change_seq, given out under the
-- lock of all changes, so that whoever follows reviews by it misses none; one that was deleted stays as a row without a text.
create table reviews (
  review_id     bigint generated always as identity primary key,
  seq           bigint not null,
  claim_id      bigint references claims on delete set null,
  claim_text    text not null,
  lang          text not null,
  -- 1 false to 5 true; null where it is neither.
  rating        smallint check (rating between 1 and 5),
  rating_text   text,
  url           text,
  publisher     text not null,
  published_at  timestamptz,
  -- Who made the claim, when, and where it appeared: {name?, date?, appearances?}.
  item          jsonb,
  origin        text not null check (origin in ('desk', 'import', 'crawl')),
  -- SHA-256 of url and claim text: the same review is stored once.
  same_key      bytea,
  -- Who and what the claim names, as far as the tagger found them.
  names         text[] not null default '{}',
  -- What the claim means, by the embedding model and by the model that reranks; null until it is read.
  model_no      smallint references embedding_models,
  vector        bytea,
  read_by       text,
  read_vector   bytea,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz
);
create unique index reviews_same on reviews (same_key) where deleted_at is null and same_key is not null;
create unique index reviews_seq on reviews (seq);
create index reviews_unread on reviews (review_id) where deleted_at is null and read_by is null;
create index reviews_read on reviews (model_no, read_by) where deleted_at is null;
create index reviews_claim on reviews (claim_id) where claim_id is not null;

-- Reviews that are of what a claim says: found by comparison, or named by whoever wrote the review (similarity 1).
create table claim_reviews (
  claim_id    bigint not null references claims on delete cascade,
  review_id   bigint not null references reviews on delete cascade,
  similarity  real not null,
  primary key (claim_id, review_id)
);
create index claim_reviews_review on claim_reviews (review_id);
