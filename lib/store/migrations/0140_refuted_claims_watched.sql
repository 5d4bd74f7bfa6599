-- A saved search may ask for articles that make a refuted claim, which is known of an article only once its claims are.
alter table saved_searches add column of_claims boolean not null default false;

-- What is noted of an article: its entities have become known; or, refuted, it makes a claim after a review has refuted it.
alter table search_rechecks add column refuted boolean not null default false;
alter table search_rechecks drop constraint search_rechecks_pkey, add primary key (article_id, refuted);
