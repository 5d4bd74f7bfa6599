import type postgres from "postgres";
import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";
import { lockChanges } from "./log.ts";
import { modelNo } from "./models.ts";
import { type NewEvent, writeEvents } from "./outbox.ts";
import { noteRefuted } from "./searches/matches.ts";
import { repeating, transaction } from "./transaction.ts";
import { jsonText, storableReal, storableText } from "./values.ts";
import { moveOn, type Step, WORK_CHANNEL } from "./work.ts";

/** Makes the statements over claims. */
export function claimStore(sql: Sql) {
  return {
    put: (batch: ClaimBatch, options: PutClaimsOptions) => putClaims(sql, batch, options),
    vectors: (modelId: string, page: { after: number; limit: number }) =>
      repeating(() => claimVectors(sql, modelId, page)),
    epoch: () => repeating(() => epochOfLog(sql)),
    byIds: (ids: readonly number[]) => repeating(() => claimsByIds(sql, ids)),
    list: (query: ClaimQuery) => repeating(() => listClaims(sql, query)),
    mentions: (claimId: number, limit: number) => repeating(() => claimMentions(sql, claimId, limit)),
    appearances: (reviewId: number, limit: number) => repeating(() => claimAppearances(sql, reviewId, limit)),
    enlist: (stretch: ClaimlessStretch) => repeating(() => enlistClaimless(sql, stretch)),
    entitiesOf: (articleIds: readonly number[]) => repeating(() => entitiesNamed(sql, articleIds)),
    crawledReviews: (articleIds: readonly number[]) => repeating(() => crawledReviews(sql, articleIds)),
    stale: (modelId: string, limit: number) => repeating(() => staleClaims(sql, modelId, limit)),
    renew: (modelId: string, claims: readonly (StaleClaim & { terms: readonly string[]; vector: Int8Array })[]) =>
      repeating(() => renewClaims(sql, modelId, claims)),
  };
}

/** Says who is named as having said something, and where; offsets are code points of the content, end exclusive. */
export type Speaker = { name: string; start: number; end: number; entityId?: number | undefined };

/** A sentence of an article that makes a claim: one that is stored, or the new one at a place of the batch's list. */
export type NewMention = {
  start: number;
  end: number;
  score: number;
  lang: string;
  speaker: Speaker | undefined;
  claim: { id: number } | { place: number };
};

/** A claim that nobody has made before: signed bytes of its vector, and the reviews that are of what it says. */
export type NewClaim = {
  text: string;
  lang: string;
  terms: readonly string[];
  names: readonly string[];
  vector: Int8Array;
  reviews: readonly { reviewId: number; similarity: number }[];
};

/** Everything that was found in some articles. */
export type ClaimBatch = {
  articles: readonly { articleId: number; mentions: readonly NewMention[] }[];
  claims: readonly NewClaim[];
};

/** By what the claims were found, and up to which claim they were compared. */
export type PutClaimsOptions = { embedder: string; classifier: string; after: number; step?: Step | undefined };

/**
 * Stores the claims of articles in the place of those that they had, and ends their step: one transaction. Stores
 * nothing where there is a newer claim than `after`, or one is gone that a mention names: "behind"; the sentences are
 * then to be compared again. An article that the step's owner does not hold any more is left out.
 */
export async function putClaims(
  sql: Sql,
  batch: ClaimBatch,
  { embedder, classifier, after, step }: PutClaimsOptions,
): Promise<"behind" | number[]> {
  if (batch.articles.length === 0) return [];
  const model = await modelNo(sql, embedder);
  const finder = await modelNo(sql, classifier, "claim_models");
  const work = async (tx: Tx): Promise<"behind" | number[]> => {
    const ids = batch.articles.map(({ articleId }) => articleId);
    const present = await tx<{ id: number }[]>`
      select article_id as id from articles where article_id = any(${ids}::bigint[]) order by article_id for key share`;
    await lockChanges(tx);
    if (await isBehind(tx, batch, after)) return "behind";
    const held = new Set(
      step === undefined
        ? present.map(({ id }) => id)
        : await moveOn(
            tx,
            step,
            present.map(({ id }) => id),
          ),
    );
    const articles = batch.articles.filter(({ articleId }) => held.has(articleId));
    if (articles.length > 0) await replaceMentions(tx, { articles, claims: batch.claims }, { model, finder });
    return [...held];
  };
  return await transaction(sql, work, { repeatable: true });
}

/** Tells whether there are claims that the batch was not compared with, or are not any more that it names. */
async function isBehind(tx: Tx, batch: ClaimBatch, after: number): Promise<boolean> {
  const named = new Set(batch.articles.flatMap(({ mentions }) => mentions.flatMap(({ claim }) => idOf(claim))));
  const [row] = await tx<{ newer: boolean; there: number }[]>`
    select exists (select from claims where seq > ${after}) as newer,
      (select count(*)::int from (
        select from claims where claim_id = any(${[...named]}::bigint[]) order by claim_id for update) as c) as there`;
  return row === undefined || row.newer || row.there < named.size;
}

const idOf = (claim: NewMention["claim"]): number[] => ("id" in claim ? [claim.id] : []);

async function replaceMentions(
  tx: Tx,
  { articles, claims }: ClaimBatch,
  { model, finder }: { model: number; finder: number },
): Promise<void> {
  const ids = articles.map(({ articleId }) => articleId);
  const first = new Map<number, number>();
  for (const { articleId, mentions } of articles) {
    for (const { claim } of mentions) {
      if ("place" in claim && !first.has(claim.place)) first.set(claim.place, articleId);
    }
  }
  const places = [...first.keys()];
  const numbers = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('claims', 'claim_id')) as id from generate_series(1, ${places.length})`;
  const numberOf = new Map(places.map((place, i) => [place, numbers[i]?.id ?? 0]));
  await insertClaims(
    tx,
    places.flatMap((place) => {
      const claim = claims[place];
      const claimId = numberOf.get(place);
      const articleId = first.get(place);
      return claim === undefined || claimId === undefined || articleId === undefined
        ? []
        : [{ ...claim, claimId, articleId }];
    }),
    model,
  );
  const rows = articles.flatMap(({ articleId, mentions }) =>
    mentions.map(({ start, end, score, lang, speaker, claim }) => ({
      article_id: articleId,
      start_offset: start,
      end_offset: end,
      score: storableReal(score),
      lang,
      speaker: speaker ?? null,
      claim_id: "id" in claim ? claim.id : numberOf.get(claim.place),
    })),
  );
  const before = await tx<{ id: number; articleId: number }[]>`
    select distinct claim_id as id, article_id as "articleId" from claim_mentions
    where article_id = any(${ids}::bigint[])`;
  await tx`
    insert into claim_mentions as m (article_id, start_offset, end_offset, claim_id, score, lang, source_id, at, speaker)
    select r.article_id, r.start_offset, r.end_offset, r.claim_id, r.score, r.lang, a.source_id,
      coalesce(a.published_at, a.created_at), r.speaker
    from json_to_recordset(${jsonText(rows)}::text::json) as r (
      article_id bigint, start_offset integer, end_offset integer, claim_id bigint, score real, lang text, speaker jsonb)
    join articles a using (article_id)
    on conflict (article_id, start_offset) do update set (end_offset, claim_id, score, lang, speaker) =
      (excluded.end_offset, excluded.claim_id, excluded.score, excluded.lang, excluded.speaker)`;
  await tx`
    delete from claim_mentions m where article_id = any(${ids}::bigint[]) and not exists (
      select from json_to_recordset(${jsonText(rows)}::text::json) as r (article_id bigint, start_offset integer)
      where (r.article_id, r.start_offset) = (m.article_id, m.start_offset))`;
  const changed = new Set([...before.map(({ id }) => id), ...rows.flatMap(({ claim_id: id }) => id ?? [])]);
  await tx`select recount_claims(${[...changed].sort((a, b) => a - b)}::bigint[])`;
  await tx`
    insert into claim_finds (article_id, model_no) select id, ${finder} from unnest(${ids}::bigint[]) as id
    on conflict (article_id) do update set model_no = excluded.model_no`;
  await announceRepeated(tx, ids, before);
}

/** Up to this rating a review says that a claim is false. */
const REFUTED = 2;

/**
 * Writes an event for each article that makes a claim after a review has refuted it, but for those that made it before.
 */
async function announceRepeated(
  tx: Tx,
  articleIds: readonly number[],
  before: readonly { id: number; articleId: number }[],
): Promise<void> {
  type Row = { articleId: number; claim: RepeatedEvent["data"]["claim"]; reviews: RepeatedEvent["data"]["reviews"] };
  const rows = await tx<Row[]>`
    select distinct on (m.article_id, m.claim_id) m.article_id as "articleId",
      json_build_object('claim_id', m.claim_id, 'lang', m.lang, 'articles', c.articles,
        'text', substring(a.content from m.start_offset + 1 for m.end_offset - m.start_offset),
        'offsets', json_build_object('start', m.start_offset, 'end', m.end_offset)) as claim, r.reviews
    from claim_mentions m join claims c using (claim_id) join articles a on a.article_id = m.article_id
    cross join lateral (
      select json_agg(json_build_object('review_id', v.review_id, 'rating', v.rating, 'publisher', v.publisher, 'url', v.url)
        order by l.similarity desc, v.review_id) as reviews
      from claim_reviews l join reviews v using (review_id)
      where l.claim_id = m.claim_id and v.deleted_at is null and v.rating <= ${REFUTED}
        and m.at > coalesce(v.published_at, v.created_at)
    ) as r
    where m.article_id = any(${[...articleIds]}::bigint[]) and r.reviews is not null
    order by m.article_id, m.claim_id, m.start_offset`;
  const known = new Set(before.map(({ id, articleId }) => `${articleId} ${id}`));
  const events = rows
    .filter(({ articleId, claim }) => !known.has(`${articleId} ${claim.claim_id}`))
    .map(
      ({ articleId, claim, reviews }): RepeatedEvent => ({
        type: "claim.repeated",
        subject: { kind: "claim", id: claim.claim_id },
        articleId,
        data: { claim, reviews },
      }),
    );
  await writeEvents(tx, events);
  await noteRefuted(tx, [...new Set(events.map(({ articleId }) => articleId))]);
}

type RepeatedEvent = Extract<NewEvent, { type: "claim.repeated" }>;

async function insertClaims(
  tx: Tx,
  claims: readonly (NewClaim & { claimId: number; articleId: number })[],
  model: number,
): Promise<void> {
  if (claims.length === 0) return;
  const rows = claims.map(({ claimId, articleId, text, lang, terms, names }) => ({
    claim_id: claimId,
    article_id: articleId,
    text: storableText(text),
    lang,
    terms: terms.map(storableText),
    names: names.map(storableText),
  }));
  const vectors = Buffer.concat(claims.map(({ vector }) => bytesOf(vector)));
  const bytes = vectors.length / claims.length;
  await tx`
    insert into claims (
      claim_id, seq, text, lang, article_id, terms, names, model_no, vector, score, articles, sources, first_at, last_at)
    overriding system value
    select claim_id, nextval('change_seq'), text, lang, article_id, terms, names, ${model},
      substring(${vectors}::bytea from ((n - 1) * ${bytes} + 1)::int for ${bytes}::int), 0, 0, 0, now(), now()
    from rows from (json_to_recordset(${jsonText(rows)}::text::json) as (
      claim_id bigint, article_id bigint, text text, lang text, terms text[], names text[]))
      with ordinality as r (claim_id, article_id, text, lang, terms, names, n)
    order by n`;
  const reviews = claims.flatMap(({ claimId, reviews }) =>
    reviews.map(({ reviewId, similarity }) => ({
      claim_id: claimId,
      review_id: reviewId,
      similarity: storableReal(similarity),
    })),
  );
  await linkReviews(tx, reviews);
}

/** Says that reviews are of what claims say; a review or claim that is gone is left out. */
export async function linkReviews(
  sql: Sql | Tx,
  links: readonly { claim_id: number; review_id: number; similarity: number }[],
): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into claim_reviews as l (claim_id, review_id, similarity)
    select distinct on (r.claim_id, r.review_id) r.claim_id, r.review_id, r.similarity
    from json_to_recordset(${jsonText(links)}::text::json) as r (claim_id bigint, review_id bigint, similarity real)
    join claims c on c.claim_id = r.claim_id join reviews v on v.review_id = r.review_id
    where v.deleted_at is null
    order by r.claim_id, r.review_id, r.similarity desc
    on conflict (claim_id, review_id) do update set similarity = greatest(l.similarity, excluded.similarity)`;
}

export function bytesOf({ buffer, byteOffset, byteLength }: Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function signedBytes({ buffer, byteOffset, length }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, length);
}

/** A vector under the number of what it belongs to. */
export type NumberedVector = { id: number; vector: Int8Array };

/** A vector with the number of the change that made it. */
export type FollowedVector = NumberedVector & { seq: number };

/**
 * Returns up to `limit` claims with vectors of this model that were made or read again after a change, in their order.
 */
export async function claimVectors(
  sql: Sql,
  modelId: string,
  { after, limit }: { after: number; limit: number },
): Promise<FollowedVector[]> {
  const model = await modelNo(sql, modelId);
  const rows = await sql<(Omit<FollowedVector, "vector"> & { vector: Buffer })[]>`
    select claim_id as id, seq, vector from claims
    where seq > ${after} and model_no = ${model} order by seq limit ${limit}`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: signedBytes(vector) }));
}

/** Returns the epoch of the log: it is another one after a fail-over or a restored backup. */
export async function epochOfLog(sql: Sql): Promise<string> {
  const [row] = await sql<{ epoch: string }[]>`
    select epoch::text as epoch from log_epochs order by began_at desc limit 1`;
  return row?.epoch ?? "";
}

/** A claim as it is compared with others. */
export type ComparedClaim = { claimId: number; text: string; lang: string; names: string[]; vector: Int8Array };

/** Returns those of these claims that there are. */
export async function claimsByIds(sql: Sql, ids: readonly number[]): Promise<ComparedClaim[]> {
  if (ids.length === 0) return [];
  const rows = await sql<(Omit<ComparedClaim, "vector"> & { vector: Buffer })[]>`
    select claim_id as "claimId", text, lang, names, vector from claims
    where claim_id = any(${[...ids]}::bigint[])`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: signedBytes(vector) }));
}

/** A claim whose terms and vector are to be made again: its text is another one, or another model read it. */
export type StaleClaim = { claimId: number; text: string };

/** Returns up to `limit` stale claims. */
export async function staleClaims(sql: Sql, modelId: string, limit: number): Promise<StaleClaim[]> {
  const model = await modelNo(sql, modelId);
  const some = (condition: postgres.PendingQuery<postgres.Row[]>) => sql`
    (select claim_id, text from claims where ${condition} limit ${limit})`;
  return await sql<StaleClaim[]>`
    select distinct claim_id as "claimId", text from (
      ${some(sql`stale`)} union all ${some(sql`model_no < ${model}`)} union all ${some(sql`model_no > ${model}`)}
    ) as c order by 1 limit ${limit}`;
}

/** Stores the terms and vectors of claims whose text is still this one. */
export async function renewClaims(
  sql: Sql,
  modelId: string,
  claims: readonly (StaleClaim & { terms: readonly string[]; vector: Int8Array })[],
): Promise<void> {
  if (claims.length === 0) return;
  const model = await modelNo(sql, modelId);
  const rows = claims.map(({ claimId, text, terms }) => ({ claim_id: claimId, text, terms: terms.map(storableText) }));
  const vectors = Buffer.concat(claims.map(({ vector }) => bytesOf(vector)));
  const bytes = vectors.length / claims.length;
  const work = async (tx: Tx): Promise<void> => {
    await lockChanges(tx);
    await tx`
    update claims c set seq = nextval('change_seq'), terms = r.terms, model_no = ${model}, stale = false,
      vector = substring(${vectors}::bytea from ((n - 1) * ${bytes} + 1)::int for ${bytes}::int)
    from rows from (json_to_recordset(${jsonText(rows)}::text::json) as (claim_id bigint, text text, terms text[]))
      with ordinality as r (claim_id, text, terms, n)
    where c.claim_id = r.claim_id and c.text = r.text`;
  };
  await transaction(sql, work, { repeatable: true });
}

/** A stretch of articles: up to `limit` of them with a number below `below`. */
export type ClaimlessStretch = { below: number; limit: number };

/**
 * Queues the indexed articles of a stretch whose claims were never looked for, behind those that come in now. What is
 * queued or was set aside stays as it is. Idempotent, and one short transaction. Returns the last number of the stretch
 * (undefined where there are no more articles) and how many were queued.
 */
export async function enlistClaimless(
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
export async function entitiesNamed(sql: Sql, articleIds: readonly number[]): Promise<NamedEntity[]> {
  return await sql<NamedEntity[]>`
    select article_id as "articleId", entity_id as "entityId", coalesce(shown_name, name) as name, type, spans
    from article_entities join entities using (entity_id)
    where article_id = any(${[...articleIds]}::bigint[]) and tagged and cardinality(spans) > 0`;
}

/** Holds the ClaimReviews that the scraper met on the page of an article, each as JSON. */
export type CrawledReviews = { articleId: number; url: string; reviews: string[] };

/** ClaimReviews of an article that are read, at most. */
const MAX_CRAWLED = 10;

/** Returns the ClaimReviews of these articles' pages, of those that have any. */
export async function crawledReviews(sql: Sql, articleIds: readonly number[]): Promise<CrawledReviews[]> {
  return await sql<CrawledReviews[]>`
    select article_id as "articleId", url, array(
      select value #>> '{}' from jsonb_array_elements(raw -> 'claim_reviews') with ordinality as r (value, n)
      where jsonb_typeof(value) = 'string' order by n limit ${MAX_CRAWLED}) as reviews
    from articles where article_id = any(${[...articleIds]}::bigint[])
      and jsonb_typeof(raw -> 'claim_reviews') = 'array'`;
}

/** Says how claims are ordered; the highest, newest or most repeated first. */
export type ClaimSort = "score" | "newest" | "repeats";

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
  after?: { value: number; id: number } | undefined;
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
  /** By what it is ordered. */
  value: number;
};

/** Reviews of a claim that are listed with it, at most. */
const MAX_REVIEWS = 20;

/** Lists claims, each once, by its mentions that the query asks for. */
export async function listClaims(sql: Sql, query: ClaimQuery): Promise<ListedClaim[]> {
  const { sort, limit, after, words = [], reviewed } = query;
  const ofMention = mentionConditions(sql, query);
  const behind = after && (sort === "newest" ? sql`to_timestamp(${after.value / 1e6}::float8)` : sql`${after.value}`);
  const desc = behind === undefined ? sql`` : sql`and (value, claim_id) < (${behind}, ${after?.id ?? 0})`;
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
    select page.claim_id as "claimId", page.score, ${sql.unsafe(sort === "newest" ? "extract(epoch from page.value) * 1000000" : "page.value")}::float8 as value, shown.lang,
      substring(a.content from shown.start_offset + 1 for shown.end_offset - shown.start_offset) as text,
      shown.start_offset as start, shown.end_offset as "end", shown.speaker, a.article_id as "articleId", a.title, a.url,
      a.source_id as "sourceId", ${sql.unsafe(iso("a.published_at"))} as "publishedAt", a.category_id as "categoryId",
      c.articles, c.sources, ${sql.unsafe(iso("c.first_at"))} as "firstAt",
      coalesce((
        select p.gone_at is not null or (r.content is not null and position(
          substring(a.content from shown.start_offset + 1 for shown.end_offset - shown.start_offset) in r.content) = 0)
        from article_pairs p left join article_revisions r on (r.article_id, r.revision) = (p.article_id, p.revision)
        where (p.source_id, p.external_id) = (a.source_id, a.external_id)), false) as withdrawn,
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
    join articles a on a.article_id = shown.article_id
    order by page.value desc, page.claim_id desc`;
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
export type ClaimAppearance = { url: string; title: string; publishedAt: string | null };

/** Returns up to `limit` articles that make the claims that a review is of, the oldest first. */
export async function claimAppearances(sql: Sql, reviewId: number, limit: number): Promise<ClaimAppearance[]> {
  return await sql<ClaimAppearance[]>`
    select a.url, a.title, ${sql.unsafe(iso("a.published_at"))} as "publishedAt" from (
      select m.article_id, min(m.at) as at from claim_reviews l join claim_mentions m using (claim_id)
      where l.review_id = ${reviewId} group by m.article_id order by 2, 1 limit ${limit}
    ) as m join articles a using (article_id) order by m.at, a.article_id`;
}

/** A sentence of an article that makes a claim. */
export type ClaimMention = Pick<
  ListedClaim,
  "text" | "lang" | "start" | "end" | "speaker" | "articleId" | "title" | "sourceId" | "publishedAt"
>;

/** Returns the sentences that make a claim, the first that was told before the others. */
async function claimMentions(sql: Sql, claimId: number, limit: number): Promise<ClaimMention[]> {
  return await sql<ClaimMention[]>`
    select m.lang, m.start_offset as start, m.end_offset as "end", m.speaker, a.article_id as "articleId", a.title,
      substring(a.content from m.start_offset + 1 for m.end_offset - m.start_offset) as text,
      a.source_id as "sourceId", ${sql.unsafe(iso("a.published_at"))} as "publishedAt"
    from (select * from claim_mentions where claim_id = ${claimId} order by at, article_id, start_offset limit ${limit}) m
    join articles a using (article_id) order by m.at, m.article_id, m.start_offset`;
}
