-- Under an Idempotency-Key the verdicts are kept, and what the caller needs to say them again; not the words of the answer.
alter table idempotency_keys add column memo text, add column verdicts jsonb;

-- An answer with U+0000 cannot be taken apart here: such a key counts as unused.
delete from idempotency_keys where status is null or body like '%\u0000%';

update idempotency_keys k set
  memo = (
    select jsonb_build_object('requestId', k.body::jsonb #> '{summary,request_id}', 'submitted', coalesce(jsonb_agg(
      jsonb_build_object('externalId', r -> 'external_id')
        || case when r ? 'error' then jsonb_build_object('error', r -> 'error') else '{"sourceId": ""}'::jsonb end
      order by n), '[]'))::text
    from jsonb_array_elements(k.body::jsonb -> 'results') with ordinality as t (r, n)),
  verdicts = (
    select jsonb_build_object('conflict', k.status = 409, 'results', coalesce(jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object('status', r -> 'status', 'articleId', r -> 'article_id')) order by n)
      filter (where not r ? 'error'), '[]'))
    from jsonb_array_elements(k.body::jsonb -> 'results') with ordinality as t (r, n));

alter table idempotency_keys drop column status, drop column body, alter column memo set not null;
