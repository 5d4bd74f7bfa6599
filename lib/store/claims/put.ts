import type { Sql, Tx } from "../client.ts";
import { lockChanges } from "../log.ts";
import { modelNo } from "../models.ts";
import { type NewEvent, writeEvents } from "../outbox.ts";
import { noteRefuted } from "../searches/matches.ts";
import { transaction } from "../transaction.ts";
import { jsonText, storableReal, storableText } from "../values.ts";
import { moveOn, type Step } from "../work.ts";
import { bytesOf } from "./vectors.ts";

/** Makes the statements that write claims. */
export function claimWrites(sql: Sql) {
  return {
    put: (batch: ClaimBatch, options: PutClaimsOptions) => putClaims(sql, batch, options),
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
type PutClaimsOptions = { embedder: string; classifier: string; after: number; step?: Step | undefined };

/**
 * Stores the claims of articles in the place of those that they had, and ends their step: one transaction. Stores
 * nothing where there is a newer claim than `after`, or one is gone that a mention names: "behind"; the sentences are
 * then to be compared again. An article that the step's owner does not hold any more is left out.
 */
async function putClaims(
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
