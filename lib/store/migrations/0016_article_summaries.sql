-- What an article says in a few of its sentences, written when it is indexed; null where summaries are switched off.
alter table articles add column summary text;
