-- Keys of clients. Only the SHA-256 of a key is kept: it is 256 random bits, so that no slower hash would protect it better.
create table api_keys (
  key_id        text primary key,
  name          text not null,
  hash          bytea not null unique,
  scopes        text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'ingest', 'desk', 'admin']),
  rate_per_min  integer check (rate_per_min > 0),
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  -- As of some half a minute ago.
  last_used_at  timestamptz
);
