import { repeating } from "../transaction.ts";
import type { Sql } from "../client.ts";
import { WORK_CHANNEL } from "../work.ts";

/** Makes the statements over what claims are found in. */
export function claimFinding(sql: Sql) {
  return {
    enlist: (stretch: ClaimlessStretch) => repeating(() => enlistClaimless(sql, stretch)),
    entitiesOf: (articleIds: readonly number[]) => repeating(() => entitiesNamed(sql, articleIds)),
    crawledReviews: (articleIds: readonly number[]) => repeating(() => crawledReviews(sql, articleIds)),
  };
}

/** A stretch of articles: up to `limit` of them with a number below `below`. */
type ClaimlessStretch = { below: number; limit: number };

/**
 * Queues the indexed articles of a stretch whose claims were never looked for, behind those that come in now. What is
 * queued or was set aside stays as it is. Idempotent, and one short transaction. Returns the last number of the stretch
 * (undefined where there are no more articles) and how many were queued.
 */
async function enlistClaimless(
  sql: Sql,
  { below, limit }: ClaimlessStretch,
): Promise<{ lastId: number | undefined; enlisted: number }> {
  const [row] = await sql<{ lastId: number | null; enlisted: number }[]>`
    with stretch as materialized (
      select article_id, state from articles where article_id < ${below} order by article_id desc limit ${limit}
    ), put as (
      insert into work (article_id, stage, priority)
      select s.article_id, 'claims', -1 from stretch s
      where s.state = 'indexed' and not exists (select from claim_finds f where f.article_id = s.article_id)
        and not exists (select from work w where w.article_id = s.article_id and w.stage in ('entities', 'claims'))
      on conflict do nothing returning 1
    ), announced as (
      select pg_notify(${WORK_CHANNEL}, 'claims') where exists (select from put)
    )
    select (select min(article_id) from stretch)as "lastId", (select count(*)::int from put) as enlisted
    from (select count(*) from announced) as a`;
  return { lastId: row?.lastId ?? undefined, enlisted: row?.enlisted ?? 0 };
}

/** An entity that an article names, and where: start and end of each mention in turn. */
export type NamedEntity = { articleId: number; entityId: number; name: string; type: string; spans: number[] };

/** Returns who and what these articles name, as far as the tagger found it. */
async function entitiesNamed(sql: Sql, articleIds: readonly number[]): Promise<NamedEntity[]> {
  return await sql<NamedEntity[]>`
    select article_id as "articleId", entity_id as "entityId", coalesce(shown_name, name) as name, type, spans
    from article_entities join entities using (entity_id)
    where article_id = any(${[...articleIds]}::bigint[]) and tagged and cardinality(spans) > 0`;
}

/** Holds the ClaimReviews that the scraper met on the page of an article, each as JSON. */
type CrawledReviews = { articleId: number; url: string; reviews: string[] };

/** ClaimReviews of an article that are read, at most. */
const MAX_CRAWLED = 10;

/** Returns the ClaimReviews of these articles' pages, of those that have any. */
async function crawledReviews(sql: Sql, articleIds: readonly number[]): Promise<CrawledReviews[]> {
  return await sql<CrawledReviews[]>`
    select article_id as "articleId", url, array(
      select value #>> '{}' from jsonb_array_elements(raw -> 'claim_reviews') with ordinality as r (value, n)
      where jsonb_typeof(value) = 'string' order by n limit ${MAX_CRAWLED}) as reviews
    from articles where article_id = any(${[...articleIds]}::bigint[])
      and jsonb_typeof(raw -> 'claim_reviews') = 'array'`;
}
