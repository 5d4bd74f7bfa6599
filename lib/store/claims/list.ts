import { repeating } from "../transaction.ts";
import { iso } from "../articles/columns.ts";
import type { Sql } from "../client.ts";
import { CURRENT, CURRENT_TITLE } from "../copies.ts";
import type { Speaker } from "./put.ts";
import { WORK_CHANNEL } from "../work.ts";

/** Makes the statements that list claims. */
export function claimLists(sql: Sql) {
  return {
    list: (query: ClaimQuery) => repeating(() => listClaims(sql, query)),
    mentions: (claimId: number, limit: number) => repeating(() => claimMentions(sql, claimId, limit)),
    appearances: (reviewId: number, limit: number) => repeating(() => claimAppearances(sql, reviewId, limit)),
  };
}

/** Says how claims are ordered; the highest, newest or most repeated first. */
type ClaimSort = "score" | "newest" | "repeats";

/** Says which claims are listed. Times are milliseconds since 1970, both ends included. */
export type ClaimQuery = {
  /** The claim has to hold each of these words, by one of its stems. */
  words?: readonly (readonly string[])[];
  from?: number | undefined;
  to?: number | undefined;
  lang?: string | undefined;
  source?: string | undefined;
  entity?: { id: number | undefined; key: string } | undefined;
  articleId?: number | undefined;
  claimId?: number | undefined;
  /** A story, or one that was merged into it. */
  storyId?: number | undefined;
  reviewed?: boolean | undefined;
  sort: ClaimSort;
  limit: number;
  /** Says where the page before ended. */
  after?: { value: string; id: number } | undefined;
};

/** A claim as it is listed, by the newest of the mentions that the query asks for. */
export type ListedClaim = {
  claimId: number;
  text: string;
  lang: string;
  score: number;
  start: number;
  end: number;
  speaker: Speaker | null;
  articleId: number;
  title: string;
  url: string;
  sourceId: string;
  publishedAt: string | null;
  categoryId: string | null;
  /** Its source does not say it any more: the article is gone there, or reads otherwise. */
  withdrawn: boolean;
  articles: number;
  sources: number;
  firstAt: string;
  reviews: {
    reviewId: number;
    rating: number | null;
    ratingText: string | null;
    publisher: string;
    url: string | null;
    similarity: number;
  }[];
  /** By what it is ordered: a score, microseconds since 1970, or articles. A number could not hold all of them. */
  value: string;
};

/** Reviews of a claim that are listed with it, at most. */
const MAX_REVIEWS = 20;

/** Lists claims, each once, by its mentions that the query asks for. */
async function listClaims(sql: Sql, query: ClaimQuery): Promise<ListedClaim[]> {
  const { sort, limit, after, words = [], reviewed } = query;
  const ofMention = mentionConditions(sql, query);
  const desc =
    after === undefined ? sql`` : sql`and (value, claim_id) < (${placeOf(sql, sort, after.value)}, ${after.id})`;
  const ofWords = words.map((stems) => sql`and c.terms && ${[...stems]}::text[]`);
  const ofClaim = ofWords.reduce((all, each) => sql`${all} ${each}`, sql``);
  const isReviewed = (of: string) =>
    reviewed === undefined
      ? sql``
      : sql`and ${reviewed ? sql`` : sql`not`} exists (
          select from claim_reviews r where r.claim_id = ${sql.unsafe(of)}.claim_id)`;
  const claimsOf =
    words.length > 0
      ? sql`join claims c on c.claim_id = m.claim_id ${ofClaim}`
      : sort === "repeats"
        ? sql`left join lateral (
            select articles from claims where claim_id = m.claim_id and articles > 1 offset 0) as c on true`
        : sql``;
  const page =
    ofMention === undefined
      ? sql`
        select claim_id, score, value from (
          select c.claim_id, c.score, ${sql.unsafe(CLAIM_VALUE[sort])} as value from claims c
          where true ${ofClaim} ${isReviewed("c")}
        ) as c where true ${desc} order by value desc, claim_id desc limit ${limit}`
      : sql`
        with mentioned as materialized (
          select m.claim_id, max(m.score) as score, max(m.at) as at from claim_mentions m
          where ${ofMention} ${isReviewed("m")} group by m.claim_id
        )
        select claim_id, score, value from (
          select m.claim_id, m.score, ${sql.unsafe(MENTION_VALUE[sort])} as value from mentioned m
          ${claimsOf}
        ) as c where true ${desc} order by value desc, claim_id desc limit ${limit}`;
  return await sql<ListedClaim[]>`
    with page as materialized (${page})
    select page.claim_id as "claimId", page.score, ${sql.unsafe(sort === "newest" ? "(extract(epoch from page.value) * 1000000)::bigint" : "page.value")}::text as value, shown.lang,
      substring(a.content from shown.start_offset + 1 for shown.end_offset - shown.start_offset) as text,
      shown.start_offset as start, shown.end_offset as "end", shown.speaker, a.article_id as "articleId",
      ${sql.unsafe(CURRENT_TITLE)} as title, a.url, a.source_id as "sourceId", ${sql.unsafe(iso("a.published_at"))} as "publishedAt", a.category_id as "categoryId",
      c.articles, c.sources, ${sql.unsafe(iso("c.first_at"))} as "firstAt",
      coalesce(p.gone_at is not null or (r.content is not null and position(
        substring(a.content from shown.start_offset + 1 for shown.end_offset - shown.start_offset) in r.content) = 0),
        false) as withdrawn,
      coalesce((
        select json_agg(json_build_object('reviewId', v.review_id, 'rating', v.rating, 'ratingText', v.rating_text,
          'publisher', v.publisher, 'url', v.url, 'similarity', l.similarity) order by l.similarity desc, v.review_id)
        from (select * from claim_reviews l where l.claim_id = page.claim_id order by similarity desc limit ${MAX_REVIEWS}) l
        join reviews v using (review_id) where v.deleted_at is null), '[]') as reviews
    from page join claims c using (claim_id)
    cross join lateral (
      select m.* from claim_mentions m where m.claim_id = page.claim_id ${ofMention === undefined ? sql`` : sql`and ${ofMention}`}
      order by m.at desc, m.article_id desc, m.start_offset limit 1
    ) as shown
    join (${sql.unsafe(CURRENT)}) on a.article_id = shown.article_id
    order by page.value desc, page.claim_id desc`;
}

/** Returns what claims are compared with, as the column that orders them has it. */
function placeOf(sql: Sql, sort: ClaimSort, value: string) {
  if (sort === "score") return sql`${value}::real`;
  if (sort === "repeats") return sql`${value}::integer`;
  const us = sql`${value}::bigint`;
  return sql`'epoch'::timestamptz + ${us} / 1000000 * interval '1 second' + ${us} % 1000000 * interval '1 microsecond'`;
}

const CLAIM_VALUE: Record<ClaimSort, string> = {
  score: "c.score",
  newest: "c.last_at",
  repeats: "c.articles",
};
/** A claim that is not among those that are repeated is made by one article. */
const MENTION_VALUE: Record<ClaimSort, string> = {
  score: "m.score",
  newest: "m.at",
  repeats: "coalesce(c.articles, 1)",
};

/** Returns the conditions on mentions `m`; undefined where there are none. */
function mentionConditions(sql: Sql, { from, to, lang, source, entity, articleId, claimId, storyId }: ClaimQuery) {
  const time = (ms: number) => sql`to_timestamp(${ms / 1000}::double precision)`;
  const conditions = [
    ...(from === undefined ? [] : [sql`m.at >= ${time(from)}`]),
    ...(to === undefined ? [] : [sql`m.at <= ${time(to)}`]),
    ...(lang === undefined ? [] : [sql`m.lang = ${lang}`]),
    ...(source === undefined ? [] : [sql`m.source_id = ${source}`]),
    ...(articleId === undefined ? [] : [sql`m.article_id = ${articleId}`]),
    ...(claimId === undefined ? [] : [sql`m.claim_id = ${claimId}`]),
    ...(storyId === undefined
      ? []
      : [
          sql`m.article_id in (
            select article_id from story_articles where story_id = (
              select coalesce(merged_into, story_id) from stories where story_id = ${storyId}))`,
        ]),
    ...(entity === undefined
      ? []
      : [
          sql`m.article_id in (
            select e.article_id from article_entities e where e.entity_id in (
              select entity_id from entities where name_key = ${entity.key} or entity_id = ${entity.id ?? 0}
              union select entity_id from entity_aliases where name_key = ${entity.key}))`,
        ]),
  ];
  if (conditions.length === 0) return undefined;
  return conditions.reduce((all, each) => sql`${all} and ${each}`);
}

/** An article in which a reviewed claim appeared. */
type ClaimAppearance = { url: string; title: string; publishedAt: string | null };

/** Returns up to `limit` articles that make the claims that a review is of, the oldest first. */
async function claimAppearances(sql: Sql, reviewId: number, limit: number): Promise<ClaimAppearance[]> {
  return await sql<ClaimAppearance[]>`
    select a.url, ${sql.unsafe(CURRENT_TITLE)} as title, ${sql.unsafe(iso("a.published_at"))} as "publishedAt" from (
      select m.article_id, min(m.at) as at from claim_reviews l join claim_mentions m using (claim_id)
      where l.review_id = ${reviewId} group by m.article_id order by 2, 1 limit ${limit}
    ) as m join (${sql.unsafe(CURRENT)}) on a.article_id = m.article_id order by m.at, a.article_id`;
}

/** A sentence of an article that makes a claim. */
type ClaimMention = Pick<
  ListedClaim,
  "text" | "lang" | "start" | "end" | "speaker" | "articleId" | "title" | "sourceId" | "publishedAt"
>;

/** Returns the sentences that make a claim, the first that was told before the others. */
async function claimMentions(sql: Sql, claimId: number, limit: number): Promise<ClaimMention[]> {
  return await sql<ClaimMention[]>`
    select m.lang, m.start_offset as start, m.end_offset as "end", m.speaker, a.article_id as "articleId",
      ${sql.unsafe(CURRENT_TITLE)} as title, substring(a.content from m.start_offset + 1 for m.end_offset - m.start_offset) as text,
      a.source_id as "sourceId", ${sql.unsafe(iso("a.published_at"))} as "publishedAt"
    from (select * from claim_mentions where claim_id = ${claimId} order by at, article_id, start_offset limit ${limit}) m
    join (${sql.unsafe(CURRENT)}) on a.article_id = m.article_id order by m.at, m.article_id, m.start_offset`;
}

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
