-- Sessions of the desk. A browser holds the token, of which this table knows the hash; the key that was signed in with is
-- sealed under the token, so that neither a copy of the database nor a cookie alone is good for anything.
create table desk_sessions (
  token_hash  bytea primary key,
  sealed_key  bytea not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null
);
create index desk_sessions_expiry on desk_sessions (expires_at);
