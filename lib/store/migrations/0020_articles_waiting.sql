-- Which of a state wait longest is asked while a million of the other state may wait.
create index articles_waiting on articles (state, queued_at) where state in ('accepted', 'normalized');
drop index articles_pending;
