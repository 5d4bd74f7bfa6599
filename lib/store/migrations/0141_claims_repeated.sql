-- The few claims that more than one article makes, for lists that are ordered by repeats: all others have one.
create index claims_repeated on claims (claim_id) include (articles) where articles > 1;
