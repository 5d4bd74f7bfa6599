-- The model for which an article was last put on the list: what one gave up on is tried again with the next. Empty for
-- those that came there when they were indexed.
alter table rerank_work add column model_no smallint references rerank_models;
