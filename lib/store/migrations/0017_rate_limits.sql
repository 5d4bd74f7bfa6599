-- When each client made its requests of the last minute, by a digest of kind and client, so that limits hold over processes. Lost
-- with a crash of the server, and not replicated: it is worth a minute.
create unlogged table rate_limits (
  key         bytea primary key,
  times       timestamptz[] not null,
  -- Set while the client has had all of its requests.
  refused_at  timestamptz
);
